"""`watch`: check and plan again whenever something changes (surfaces contract §5).

`cycle` is one round and what it says, `looking` notices that files or a URL changed, `loop` leads from one to
the other, `waiting` is what passes the time in between.
"""
