"""`python -m holoscope` is the command."""

from holoscope.cli import main

if __name__ == "__main__":
    main()
