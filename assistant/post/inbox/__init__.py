"""Mail in: the bytes of one mail in; whose orders it may bring, its files, the lines that count, and what is asked."""
