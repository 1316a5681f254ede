"""The in-tree plugins, one a file, under upstream's file names."""
