"""Where an option is named in order to be ruled out: `not B`, `(B) is wrong`, `A项不对`, `Is the answer B?`."""

import re

_NEAR = 48
"""Characters before a statement that can deny it."""

_BEFORE = re.compile(
    r"(?:\bnot|n't|\bnever|\beliminat(?:e|es|ed|ing)|\bexclud(?:e|es|ed|ing)|\brul(?:e|es|ed|ing)\s+out|\bexcept|\brather\s+than"
    r"|\binstead\s+of|\bunlike|\bneither|\bnor)\s+(?:be\s+|to\s+)?(?:the\s+)?(?:option\s+|choice\s+)?[(*]{0,3}$"
    r"|\b(?:if|whether|suppose|assume|assuming|unless|why)\s+(?:that\s+)?(?:(?:the|my|our)\s+)?(?:correct\s+|right\s+)?$"
    r"|\b(?:not|n't)\s+(?:think|believe|say|agree|sure)\s+(?:that\s+)?(?:the\s+)?(?:correct\s+)?$"
    r"|(?:不是|不选|不選|并非|並非|排除|除了?|而非|不应选)(?:选项|答案|選項)?\s?[(]?$"
    r"|(?:ليس|ليست|وليس|عدا|غير|استبعاد)\s+(?:الخيار\s+)?[(]?$"
    r"|(?:ไม่ใช่|ยกเว้น|ตัด)\s*(?:ข้อ)?\s?$",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"[)\]*_\"]{0,4}\s{0,3}(?:"
    r"(?:option\s+)?(?:(?:is|are|was|seems)\s+(?:clearly\s+|also\s+|obviously\s+|definitely\s+)?"
    r"(?:not|wrong|incorrect|false|unlikely|ruled|a\s+(?:\w+\s+)?(?:trap|distractor))\b"
    r"|isn't|wasn't|can(?:\s?not|'t)\b|can\s+be\s+(?:ruled|eliminated|excluded)\b|fails\b|does(?:\s+not|n't)\b)"
    r"|\?(?=\s*\S)"
    r"|[-–—:(]\s?\**(?:this\s+is\s+)?(?:incorrect|wrong|false)\b"
    r"|(?:项|選項|选项)?(?:也|都|均|显然|是)?(?:不(?:对|對|正确|正確|符合|成立|是(?!\s?[(]?[A-Z])|选|選)|错|錯|有误|排除|不能)"
    r"|(?:번)?(?:은|는|이|가|도)?\s?(?:정답이\s?)?(?:틀|오답|아니|아닙|옳지|잘못|맞지)"
    r"|(?:は|が|も)?(?:正解)?(?:では|じゃ)?(?:間違|誤|不正解|ない|ありません|不適|違)"
    r"|(?:خطا|خاطئ|ليس|غير)"
    r"|(?:ผิด|ไม่)"
    r")",
    re.IGNORECASE,
)
NONE_OF_THEM = re.compile(
    r"(?:none|neither|unknown|undetermined|unsure|n/?a\b|no\s+(?:option|choice|correct|answer)"
    r"|(?:i\s+|we\s+)?(?:do\s?n[o']?t|do\s+not|cannot|can't|can\s+not)\b|not\s+(?:sure|enough|given|listed|determinable)"
    r"|(?:i'm|i\s+am)\s+(?:not\s+sure|unsure)|impossible\s+to)",
    re.IGNORECASE,
)
"""What stands in the answer's place where no option is chosen."""


def is_denied(text: str, statement: tuple[int, int]) -> bool:
    """True if the folded text takes back what it says from the first to the second place."""
    start, end = statement
    return _BEFORE.search(text, max(0, start - _NEAR), start) is not None or _AFTER.match(text, end) is not None
