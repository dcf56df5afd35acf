"""Reports: a faction's view becomes a page (dataclasses), the page becomes HTML, plain text and JSON.

`pages` says what a page holds, `period` what is new since the last report, `build` decides what a club
reads, `public` makes the gazette and the referee's report, `spans` tells of many rounds by month, `shelf` lists
a folder of reports, `render` arranges. The templates are in `reports/`.
"""
