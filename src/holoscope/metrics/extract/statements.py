r"""How models of many languages announce an answer: `The answer is`, `答案：`, `정답은`, `الإجابة هي`, `คำตอบคือ`.

Each row is a language: an expression for the words up to the answer, over folded text (`folding`). What follows may be
decorated (`DECORATED`): bold, quotes, brackets, LaTeX. A language is added as a row. English is apart: it is tried on
every text, the others on text that is not ASCII or that holds one of their words.
"""

import re

DECORATED = (
    r"(?:\\(?:text|textbf|mathrm|mathbf|mathsf|boxed|fbox)\s?\{|\\[(\[]|[\s*_`\"'«(\[{<$【「『《〈:])"
    r"{0,12}"
)
"""What may stand between an announcement and its answer."""

_ANSWER = r"(?<![A-Za-z])(?:answers?|ans\b)(?:\s+(?:choice|option|letter))?(?:\s+(?:to|for|of|here)\b[^.\n:]{0,60}?)?"
_LINK = (
    r"[\s*_\"'`)]{0,6}(?:(?:'s|is|was|equals|would\s+be|should\s+be|must\s+be|will\s+be|has\s+to\s+be)\b|[=:→]|->|=>|--?(?=\s))"
    r"(?:\s+(?:definitely|clearly|therefore|thus|indeed|likely|most\s+likely|probably|simply|actually|still|again)\b)?"
    r"[\s*_:]{0,8}"
)
_CHOICE = (
    r"|(?<![A-Za-z])response"
    r"|(?<![A-Za-z])(?:correct|right|best|final|appropriate|accurate|chosen|selected|my)[\s_]+"
    r"(?:option|choice|one|statement|letter|selection|response|decision)"
    r"|(?m:^)[\s*_]{0,6}(?:choice|option|selection)(?=[\s*_\"'`)]{0,6}[=:])"
    r"|\"(?:choice|option|selection|selected|label|prediction)(?=\"\s{0,4}:)"
)
ENGLISH = rf"(?:{_ANSWER}){_LINK}"
ENGLISH_CHOICE = rf"(?:{_ANSWER}{_CHOICE}){_LINK}(?:(?:the\s+)?(?:option|choice|letter|answer|number)\b)?"
HEADING = r"(?m:^)[#*_\s]{0,6}(?:(?:the|my)\s+)?(?:(?:final|correct)\s+)?answer[*_]{0,3}\s*\n\s*"
"""`Answer` on a line of its own."""

_BE_OR_COLON = r"\s*(?:%s|[:=])\s*"
_ROWS = {
    "zh": r"(?:答案[】\])]|(?:答案|答)(?:应该|應該|应当|应|應|就|只能|必须|选项|選項|选择|選擇)?\s?"
    r"(?:[是为為选選:=]\s?){1,2})(?:选项|選項|选择|選擇|选|選)?",
    "ja": r"(?:正解|答え|解答|回答|正答|答)(?:の(?:選択肢|番号))?\s?(?:は|:|=)\s?(?:選択肢|番号|、)?",
    "ko": r"(?:정답|답변|답)(?:은|는|이|가)?\s?(?:바로|:|=)?\s?(?:선택지|보기)?",
    "ar": r"(?:ال)?(?:اجابة|اجابه|جواب|خيار|اختيار|حل)(?:\s+(?:ال)?(?:صحيحة|صحيح|نهائية|نهائي|صائبة))?"
    r"\s*(?:هي|هو|:|=)\s*(?:(?:ال)?(?:خيار|حرف|اختيار|اجابة)\s*)?",
    "th": r"(?:คำตอบ|ตอบ|เฉลย|ข้อที่ถูก|ตัวเลือก)(?:ที่)?(?:ถูกต้อง|ถูก)?(?:สุดท้าย)?\s*(?:คือ|เป็น|ได้แก่|:|=)?\s*(?:ข้อ|ตัวเลือก)?",
    "es": r"respuesta(?:\s+(?:correcta|final))?" + _BE_OR_COLON % r"es\b|sería\b" + r"(?:la\s+)?(?:opción|letra)?",
    "fr": r"réponse(?:\s+(?:correcte|finale|exacte))?" + _BE_OR_COLON % r"est\b" + r"(?:l'|la\s+)?(?:option|lettre)?",
    "de": r"antwort" + _BE_OR_COLON % r"ist\b|lautet\b" + r"(?:option|buchstabe)?",
    "pt": r"resposta(?:\s+(?:correta|certa|final))?"
    + _BE_OR_COLON % r"é\b|seria\b"
    + r"(?:a\s+)?(?:opção|letra|alternativa)?",
    "it": r"risposta(?:\s+(?:corretta|esatta|giusta|finale))?"
    + _BE_OR_COLON % r"è\b"
    + r"(?:l'|la\s+)?(?:opzione|lettera)?",
    "ru": r"ответ" + _BE_OR_COLON % r"-|это\b" + r"(?:вариант|буква)?",
    "hi": r"(?:उत्तर|जवाब)" + _BE_OR_COLON % r"है|विकल्प" + r"(?:विकल्प)?",
    "bn": r"উত্তর" + _BE_OR_COLON % r"হল|হলো",
    "te": r"సమాధానం" + _BE_OR_COLON % r"-",
    "sw": r"jibu" + _BE_OR_COLON % r"ni\b",
    "id": r"jawaban(?:nya)?(?:\s+(?:yang\s+)?(?:benar|tepat))?"
    + _BE_OR_COLON % r"adalah\b|ialah\b"
    + r"(?:opsi|pilihan)?",
    "vi": r"đáp\s+án(?:\s+(?:đúng|cuối\s+cùng))?" + _BE_OR_COLON % r"là\b",
    "tr": r"cevap" + _BE_OR_COLON % r"şu\b" + r"(?:seçenek|şık)?",
}
OTHERS = "|".join(f"(?:{row})" for row in _ROWS.values())
CHOOSING = r"(?:选择|選擇|选|選)(?:项|項|择)?(?:[是为為:]|答案)?(?:选项|選項)?"
"""Chinese: `故选`, `应选择`."""
_OTHER_IN_ASCII = re.compile(r"respuesta|antwort|resposta|jibu|jawaban|cevap", re.IGNORECASE)


def speaks_english_only(text: str) -> bool:
    """True if no row but the English one can match."""
    return text.isascii() and _OTHER_IN_ASCII.search(text) is None
