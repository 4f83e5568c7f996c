"""Fixtures that several wire formats' own tests share."""

from models.wires.llama_server import llama_server as llama_server
