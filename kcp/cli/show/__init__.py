"""Results for people, one file a kind of result: each fills a `Page`, plain text that can take colour."""
