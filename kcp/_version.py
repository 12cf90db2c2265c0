__version__ = "0.1.0"

KCP_VERSION = "0.32"  # the revision of the specification that drafts are written for
