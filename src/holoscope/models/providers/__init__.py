"""One module per wire format; each turns a request into bytes and a reply into a completion, and keeps no state but
what an endpoint's refusals have taught. Imported when a model is opened and not before, as they bring a network client.
"""
