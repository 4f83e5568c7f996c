"""Which option an answer names in languages other than English, and in other letters and digits."""

import pytest

from holoscope.metrics.extract import find_number, find_option, parse_number

FOUR = {"A": "metaphysics", "B": "epistemology", "C": "quantum physics", "D": "axiology"}
ARABIC = {"أ": "x1", "ب": "x2", "ج": "x3", "د": "x4", "هـ": "x5"}
THAI = {"ก": "x1", "ข": "x2", "ค": "x3", "ง": "x4"}
KOREAN = {"가": "x1", "나": "x2", "다": "x3", "라": "x4"}
DIGITS = {"1": "cat", "2": "dog", "3": "bird", "4": "fish"}
CIRCLED = {"①": "cat", "②": "dog", "③": "bird", "④": "fish"}


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("A项不对，C项也不对，所以只有选项B是对的", "B"),
        ("故选D", "D"),
        ("答案：C", "C"),
        ("答案为（A）", "A"),
        ("正确答案是B。", "B"),
        ("因此答案选C。", "C"),
        ("综上，本题应选择A项。", "A"),
        ("选B", "B"),
        ("A、C、D都错误，B正确", "B"),
        ("首先A项错误，其次B项错误，D项错误。因此C项正确。", "C"),
        ("排除A，选B。", "B"),
        ("【答案】B", "B"),
        ("【答案】 C\n解析：A不对", "C"),
        ("B.巴黎", "B"),
        ("B、巴黎是对的", "B"),
        ("答案是C语言", None),
        ("答案是A和B", None),
        ("答案不是A", None),
        ("B 是正确答案", "B"),
        ("答案是 B 不是 A", "B"),
        ("A和B都不对，选C", "C"),
        ("不选A，选B", "B"),
    ],
)
def test_chinese(text: str, label: str | None) -> None:
    assert find_option(text, FOUR).answer == label


@pytest.mark.parametrize(
    ("text", "options", "label"),
    [
        ("정답은 C", FOUR, "C"),
        ("정답: C", FOUR, "C"),
        ("따라서 정답은 (B)입니다.", FOUR, "B"),
        ("A는 틀렸고 B가 정답입니다.", FOUR, "B"),
        ("C가 정답이 아닙니다", FOUR, None),
        ("정답은 ③번입니다", DIGITS, "3"),
        ("정답은 ③", FOUR, "C"),
        ("정답은 ②번", CIRCLED, "②"),
        ("정답은 다입니다", KOREAN, "다"),
        ("정답은 나무", KOREAN, None),
    ],
)
def test_korean(text: str, options: dict[str, str], label: str | None) -> None:
    assert find_option(text, options).answer == label


@pytest.mark.parametrize(
    ("text", "options", "label"),
    [
        ("الإجابة هي ب", ARABIC, "ب"),
        ("الإجابة الصحيحة هي: ج", ARABIC, "ج"),
        ("الجواب: أ", ARABIC, "أ"),
        ("الإجابة الصحيحة هي الخيار ا.", ARABIC, "أ"),
        ("ب) نص", ARABIC, "ب"),
        ("الإجابة هي ه", ARABIC, "هـ"),
        ("الخيار الصحيح هو ب لأن", ARABIC, "ب"),
        ("ليست أ، الإجابة هي ج", ARABIC, "ج"),
        ("الإجابة هي \u200fب", ARABIC, "ب"),
        ("الإجابة هي ب", FOUR, "B"),
        ("The answer is B.", ARABIC, "ب"),
        ("الإجابة هي باريس", ARABIC, None),
    ],
)
def test_arabic(text: str, options: dict[str, str], label: str | None) -> None:
    assert find_option(text, options).answer == label


@pytest.mark.parametrize(
    ("text", "options", "label"),
    [
        ("คำตอบคือ ข", THAI, "ข"),
        ("คำตอบคือ ข้อ ค", THAI, "ค"),
        ("คำตอบที่ถูกต้องคือ ข.", THAI, "ข"),
        ("ตอบ ง", THAI, "ง"),
        ("ข้อ ก", THAI, "ก"),
        ("ข้อ ก ผิด ดังนั้นคำตอบคือข้อ ข", THAI, "ข"),
        ("คำตอบคือ ข", FOUR, "B"),
        ("คำตอบคือ ขนม", THAI, None),
    ],
)
def test_thai(text: str, options: dict[str, str], label: str | None) -> None:
    assert find_option(text, options).answer == label


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("答えはBです。", "B"),
        ("答えは「D」です", "D"),
        ("したがって、Bが正解です。", "B"),
        ("Aは間違いです。Bが正しい。", "B"),
        ("La respuesta correcta es B.", "B"),
        ("La réponse est D.", "D"),
        ("Die Antwort ist B.", "B"),
        ("Правильный ответ: B", "B"),
        ("A resposta é a letra C.", "C"),
        ("La risposta corretta è la lettera B", "B"),
        ("उत्तर: B", "B"),
        ("Jawaban: C", "C"),
        ("Đáp án là B", "B"),
    ],
)
def test_further_languages(text: str, label: str) -> None:
    assert find_option(text, FOUR).answer == label


@pytest.mark.parametrize("written", ["Ｂ", "（Ｂ）", "𝐁", "Ⓑ", "🅱", "答案：Ｂ", "ANSWER： B"])
def test_letters_in_other_forms(written: str) -> None:
    assert find_option(written, FOUR).answer == "B"


@pytest.mark.parametrize("written", ["2", "２", "٢", "২", "๒", "②", "Answer: ②", "Answer: ２"])
def test_digits_in_other_forms(written: str) -> None:
    assert find_option(written, DIGITS).answer == "2"


def test_a_span_is_one_of_the_text_as_it_was_written() -> None:
    text = "答案是：Ｂ"
    span = find_option(text, FOUR).span
    assert span is not None
    assert text[slice(*span)] == "Ｂ"


@pytest.mark.parametrize(
    "text",
    [
        *("答案是48。再检查 3", "정답은 48입니다. 3", "الإجابة هي ٤٨. 3", "คำตอบคือ ๔๘ 3", "答えは48です。3"),
        *("La respuesta es 48. 3", "La réponse est 48. 3", "Die Antwort ist 48. 3", "Ответ: 48. 3", "Jibu ni 48. 3"),
        *("উত্তর: ৪৮। 3", "సమాధానం: 48. 3", "उत्तर: ४८ 3"),
    ],
)
def test_a_number_is_stated_in_many_languages(text: str) -> None:
    found = find_number(text)
    assert found.rule == "stated_number"
    assert found.answer is not None
    assert parse_number(found.answer) == 48
