"""What runs inside the sandbox: two processes with a border between them.

The *examiner* holds the tests and is the only one that can write a verdict. The *candidate*, forked from it before any
test was read, runs the model's program and answers calls with plain values. What the program does to its own
interpreter (exit early, close or print to any stream, patch `assert`, `==`, `check` or these very functions) happens
in a process that holds no test, no expected value, and no way to say `passed`.

The modules are sent to the sandbox's Python as they stand. They import nothing that starts slowly, and catch whatever
a program may raise.
"""
