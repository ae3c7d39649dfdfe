"""A page in the browser with an arm to move."""
