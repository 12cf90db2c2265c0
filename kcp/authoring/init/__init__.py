"""`init`: a first manifest from the files of a project (surfaces contract §6).

`tree` is what may be looked at, `project` what it is called, `scan` which files become units, `scaffold` the
text.
"""
