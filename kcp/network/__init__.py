"""The one guarded door to the network: what may be fetched (`guard`), from which addresses (`addresses`),
and how a fetcher is injected (`fetcher`). No other part of the package opens a socket."""
