"""llms.txt: what such a file holds (`links`, `lines`), and the manifest it converts to (`convert`)."""
