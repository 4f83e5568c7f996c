"""A server of the pages and of a JSON API, for one output folder on one machine.

It only reads, but for what people say of answers, which it adds to a file of its own. The pages are made by
`report/pages`, so what the server shows and what an exported site holds is the same. It answers to this machine alone
unless it is given another host, and then to nobody without its token; names in an address are looked up and never
become part of a path, and a page may load nothing that does not come from here.
"""

from holoscope.web.access import Access, is_loopback, new_token
from holoscope.web.app import create_app
from holoscope.web.serve import serve

__all__ = ["Access", "create_app", "is_loopback", "new_token", "serve"]
