"""The exit statuses of the command line (interface, section 6)."""

DONE, WRONG_INPUT, LIMIT, INTERRUPTED = 0, 2, 3, 130
