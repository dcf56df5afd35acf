"""Tools for maintainers: message catalogues, the website. Referees never run them."""
