"""Tools for maintainers: message catalogues, derived pages, the website. Referees never run them."""
