"""Tables, screws and symbolic transforms as engineers draw them."""
