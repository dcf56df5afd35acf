"""What runs inside LibreOffice: the standard library and UNO only, for the Python that it brings (3.8 on)."""
