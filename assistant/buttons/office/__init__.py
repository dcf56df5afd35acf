"""The LibreOffice door: an extension with a toolbar and a menu, made on the referee's machine for this Python.

`macro/` is what runs inside LibreOffice, `oxt` packs it, `place` finds LibreOffice, `setup` installs and removes
the extension, `doctor` finds what is wrong with it.
"""
