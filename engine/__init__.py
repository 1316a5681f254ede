"""What does I/O around the core and needs no Django: sources, the child process, the command line."""
