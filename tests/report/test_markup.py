from holoscope.report.markup import Markup, breakable, element, join, text


def test_text_is_escaped_and_markup_is_not() -> None:
    assert element("b", "<i>", Markup("<i>")) == "<b>&lt;i&gt;<i></b>"
    assert join(["&", Markup("&amp;")]) == "&amp;&amp;"


def test_no_attribute_can_be_left() -> None:
    assert element("td", title='" onclick="x') == '<td title="&quot; onclick=&quot;x"></td>'


def test_an_attribute_without_a_value_is_left_out() -> None:
    assert element("td", class_=None, hidden=True, style=False) == "<td hidden></td>"


def test_what_would_act_is_shown_as_a_sign() -> None:
    assert text("a\x1b[31m\u202eb\n c") == "a\ufffd[31m\ufffdb\n c"


def test_a_name_breaks_after_its_marks_and_stays_escaped() -> None:
    assert breakable("a_b/<c>") == "a_<wbr>b/&lt;c&gt;"
    assert breakable("n=20") == "n=20"
