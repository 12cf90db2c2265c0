"""`discover`: finding a site's manifest, or drafting one from its pages (surfaces contract §8).

`find` asks in order, `places` knows where manifests lie, `robots` what may be read, `crawl` reads pages
(`pages`), and `draft` makes a manifest of them.
"""
