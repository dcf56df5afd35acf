"""Going to war: war checks, invasions, responses, ad-hoc armies."""
