"""At the desk: a path or an open workbook in; the campaign on the desk out, and each change of it in one writing."""
