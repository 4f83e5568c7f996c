"""Chats as text, by the template in a file."""

import pytest

from holoscope.core import Image, Message, NotSupportedError, Text
from holoscope.models.local._chat import render_chat

pytest.importorskip("jinja2", reason='needs an extra: pip install "holoscope[local]"')

TEMPLATE = """\
{%- for message in messages %}
    {%- if message['role'] == 'system' %}{{ raise_exception('no system message') }}{% endif %}
<{{ message['role'] }}>{{ message['content'] }}{{ eos_token }}
{% endfor %}
{%- if add_generation_prompt %}<assistant>{% endif %}"""
SPECIAL = {"bos_token": "<s>", "eos_token": "</s>"}


def test_a_chat_ends_where_the_answer_begins() -> None:
    chat = (Message("user", "Hi"), Message("assistant", "Yes?"), Message("user", "Bye"))
    assert render_chat(TEMPLATE, chat, SPECIAL) == "<user>Hi</s>\n<assistant>Yes?</s>\n<user>Bye</s>\n<assistant>"


def test_parts_of_text_are_joined() -> None:
    assert render_chat(TEMPLATE, (Message("user", (Text("a"), Text("b"))),), SPECIAL) == "<user>ab</s>\n<assistant>"


def test_what_the_template_refuses_is_not_supported() -> None:
    with pytest.raises(NotSupportedError, match="no system message"):
        render_chat(TEMPLATE, (Message("system", "Be brief."),), SPECIAL)


def test_a_broken_template_is_not_supported() -> None:
    with pytest.raises(NotSupportedError, match="cannot hold these messages"):
        render_chat("{% for %}", (Message("user", "Hi"),), SPECIAL)


def test_a_template_cannot_reach_the_interpreter() -> None:
    with pytest.raises(NotSupportedError, match="cannot hold these messages"):
        render_chat("{{ messages.__class__.__mro__ }}", (Message("user", "Hi"),), SPECIAL)


def test_images_are_not_supported() -> None:
    with pytest.raises(NotSupportedError, match="no images"):
        render_chat(TEMPLATE, (Message("user", (Image("0" * 64, "image/png", ""),)),), SPECIAL)
