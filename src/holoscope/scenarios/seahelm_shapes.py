"""How each of SEA-HELM's tasks is asked: instructions in the task's language, what stands around question and answer.

Every task is a generation of a few words. One value for each task, and for each language or direction of those that
have several, so that a task of the common kind is a line.
"""

from typing import NamedTuple


class Shape(NamedTuple):
    instructions: str
    input_prefix: str
    output_prefix: str
    max_tokens: int


_ID_KALIMAT, _ID_JAWABAN = "Kalimat: ", "Jawaban: "
_VI_CAU_VAN, _VI_TRA_LOI = "Câu văn: ", "Câu trả lời: "
_TH_TEXT, _TH_ANSWER = "ข้อความ: ", "คำตอบ: "
_TA_ANSWER = "பதில்: "
_SPAN, _LABEL, _LETTER, _SENTENCE = 256, 16, 2, 256

QUESTIONS = {
    "tydiqa": Shape(
        "Anda akan diberikan sebuah paragraf dan sebuah pertanyaan. Jawablah pertanyaannya dengan mengekstrak jawaban "
        "dari paragraf tersebut.",
        "",
        _ID_JAWABAN,
        _SPAN,
    ),
    "xquad_vi": Shape(
        "Bạn sẽ được cho một đoạn văn và một câu hỏi. Trả lời câu hỏi bằng cách trích xuất câu trả lời từ đoạn văn.",
        "",
        _VI_TRA_LOI,
        _SPAN,
    ),
    "xquad_th": Shape("คุณจะได้รับข้อความและคำถาม กรุณาตอบคำถามโดยแยกคำตอบจากข้อความ", "", _TH_ANSWER, _SPAN),
    "indicqa": Shape(
        "உங்களுக்கு ஒரு பத்தியும் ஒரு கேள்வியும் தரப்படும். தரப்பட்ட பத்தியிலிருந்து கேள்விக்கான பதிலைக் கண்டறியவும்.",
        "",
        _TA_ANSWER,
        _SPAN,
    ),
}
PASSAGES = {
    "tydiqa": ("Paragraf: ", "Pertanyaan: "),
    "xquad_vi": ("Đoạn văn: ", "Câu hỏi: "),
    "xquad_th": (_TH_TEXT, "คำถาม: "),
    "indicqa": ("பத்தி: ", "கேள்வி: "),
}
"""What stands before the passage and before the question."""

LABELS = {
    "nusax": Shape(
        "Apa sentimen dari kalimat berikut ini?\nJawablah dengan satu kata saja:\n- Positif\n- Negatif\n- Netral",
        _ID_KALIMAT,
        _ID_JAWABAN,
        _LABEL,
    ),
    "uitvsfc": Shape(
        "Sắc thái của câu sau đây là gì?\nTrả lời với một từ duy nhất:\n- Tích cực\n- Tiêu cực\n- Trung lập",
        _VI_CAU_VAN,
        _VI_TRA_LOI,
        _LABEL,
    ),
    "wisesight": Shape(
        "อารมณ์ความรู้สึกของข้อความต่อไปนี้เป็นอย่างไร?\nกรุณาตอบโดยใช้คำเดียวเท่านั้น:\n- แง่บวก\n- แง่ลบ\n- เฉยๆ",
        _TH_TEXT,
        _TH_ANSWER,
        _LABEL,
    ),
    "indicsentiment": Shape(
        "பின்வரும் வாக்கியத்தில் வெளிப்படுத்தப்படும் உணர்வு எது?\nஒரு சொல்லில் மட்டும் பதிலளிக்கவும்:\n- நேர்மறை\n- எதிர்மறை",
        "வாக்கியம்: ",
        _TA_ANSWER,
        _LABEL,
    ),
    "mlhsd": Shape(
        "Anda adalah pendeteksi ujaran kebencian. Definisi dari labelnya adalah sebagai berikut:\n"
        "Bersih: Tidak ada ujaran kebencian.\n"
        "Kasar: Ada ujaran kebencian dan kata-kata kasar, namun tidak menyerang pihak tertentu.\n"
        "Benci: Ada ujaran kebencian atau serangan langsung terhadap pihak tertentu.\n"
        "Berdasarkan definisi labelnya, klasifikasikan kalimat berikut ini dengan satu kata saja:\n"
        "- Bersih\n- Kasar\n- Benci",
        _ID_KALIMAT,
        _ID_JAWABAN,
        _LABEL,
    ),
    "vihsd": Shape(
        "Bạn là máy phát hiện phát ngôn thù ghét. Các nhãn được định nghĩa như sau:\n"
        "Sạch: Không quấy rối.\n"
        "Công kích: Bao gồm quấy rối và thậm chí chửi thề, nhưng không tấn công bất kì đối tượng cụ thể nào.\n"
        "Thù ghét: Trực tiếp quấy rối hay lăng mạ một đối tượng cụ thể.\n"
        "Với các định nghĩa của nhãn, hãy phân loại câu dưới đây với một từ duy nhất:\n"
        "- Sạch\n- Công kích\n- Thù ghét",
        _VI_CAU_VAN,
        _VI_TRA_LOI,
        _LABEL,
    ),
    "thaitoxicitytweets": Shape(
        "คุณเป็นเครื่องตรวจจับข้อความที่เป็นพิษ\n"
        "ข้อความเป็นพิษถ้ามันทำร้าย สร้างความเสียหาย หรือสื่อเจตนาเชิงลบถึงบุคคลหรือกลุ่มบุคคล และคุณควรคำนึงถึงการประชดประชันด้วย\n"
        "เมื่อได้รับข้อความ ให้ตอบด้วยตัวอักษร Y หากเป็นพิษ และ N หากไม่เป็นพิษ",
        _TH_TEXT,
        _TH_ANSWER,
        _LABEL,
    ),
}

INFERENCE = {
    "indonli": Shape(
        "Anda akan diberikan dua kalimat, X dan Y.\n"
        "Tentukan mana dari pernyataan berikut ini yang paling sesuai untuk kalimat X dan Y.\n"
        "A: Kalau X benar, maka Y juga harus benar.\nB: X bertentangan dengan Y.\n"
        "C: Ketika X benar, Y mungkin benar atau mungkin tidak benar.\nJawablah dengan satu huruf saja, A, B atau C.",
        "",
        _ID_JAWABAN,
        _LETTER,
    ),
    "xnli_vi": Shape(
        "Bạn sẽ được cho hai câu, X và Y.\nXác định câu nào sau đây là câu phù hợp nhất cho câu X và Y.\n"
        "A: Nếu X đúng thì Y phải đúng.\nB: X mâu thuẫn với Y.\nC: Khi X đúng, Y có thể đúng hoặc không đúng.\n"
        "Trả lời với một chữ cái duy nhất A, B, hoặc C.",
        "",
        _VI_TRA_LOI,
        _LETTER,
    ),
    "xnli_th": Shape(
        "คุณจะได้รับสองข้อความ X และ Y\nกรุณาพิจารณาว่า ข้อความใดต่อไปนี้ใช้กับข้อความ X และ Y ได้ดีที่สุด\n"
        "A: ถ้า X เป็นจริง Y จะต้องเป็นจริง\nB: X ขัดแย้งกับ Y\nC: เมื่อ X เป็นจริง Y อาจเป็นจริงหรือไม่ก็ได้\n"
        "กรุณาตอบด้วยตัวอักษร A, B หรือ C ตัวเดียวเท่านั้น",
        "",
        _TH_ANSWER,
        _LETTER,
    ),
    "indicxnli": Shape(
        "உங்களுக்கு இரண்டு வாக்கியங்கள், X மற்றும் Y, தரப்படும்.\n"
        "பின்வரும் கூற்றுகளில் எது X மற்றும் Y வாக்கியங்களுடன் மிகப் பொருந்துகிறது எனக் கண்டறியவும்.\n"
        "A: X உண்மை என்றால் Y உம் உண்மையாக இருக்க வேண்டும்.\nB: X உம் Y உம் முரண்படுகின்றன.\n"
        "C: X உண்மையாக இருக்கும்போது Y உண்மையாக இருக்கலாம் அல்லது இல்லாமல் இருக்கலாம்.\n"
        "A அல்லது B அல்லது C என்ற ஒறே எழுத்தில் மட்டும் பதிலளிக்கவும்.",
        "",
        _TA_ANSWER,
        _LETTER,
    ),
}


class Cause(NamedTuple):
    """What is asked of a situation, with a place for `cause` or `effect`."""

    question: str
    demand: str
    cause: str
    effect: str
    shape: Shape


CAUSES = {
    "id": Cause(
        "Berdasarkan situasi di atas, mana dari pilihan-pilihan berikut ini yang lebih mungkin menjadi {}?",
        "Jawablah dengan satu huruf saja, A atau B.",
        "sebab",
        "akibat",
        Shape("", "Situasi: ", _ID_JAWABAN, _LETTER),
    ),
    "ta": Cause(
        "பின்வரும் வாக்கியங்களில் பெரும்பாலும் எது தரப்பட்ட சூழ்நிலைக்குரிய {} இருக்கும்?",
        "A அல்லது B என்ற ஒறே எழுத்தில் மட்டும் பதிலளிக்கவும்.",
        "காரணமாக",
        "விளைவாக",
        Shape("", "சூழ்நிலை: ", _TA_ANSWER, _LETTER),
    ),
    "th": Cause(
        "เมื่อพิจารณาจากสถานการณ์นี้ ตัวเลือกใดต่อไปนี้น่าจะเป็น{}มากกว่ากัน?",
        "กรุณาตอบด้วยตัวอักษร A หรือ B ตัวเดียวเท่านั้น",
        "สาเหตุ",
        "ผล",
        Shape("", "สถานการณ์: ", _TH_ANSWER, _LETTER),
    ),
    "vi": Cause(
        "Với tình huống trên, lựa chọn nào dưới đây có khả năng cao là {} của nó hơn?",
        "Trả lời với một chữ cái duy nhất A hoặc B.",
        "nguyên nhân",
        "kết quả",
        Shape("", "Tình huống: ", _VI_TRA_LOI, _LETTER),
    ),
}

TRANSLATIONS = {
    "en_id": Shape("Terjemahkan teks berikut ini ke dalam Bahasa Indonesia.", "Teks: ", "Terjemahan: ", _SENTENCE),
    "en_vi": Shape("Dịch văn bản dưới đây sang Tiếng Việt.", "Văn bản: ", "Bản dịch: ", _SENTENCE),
    "en_th": Shape("กรุณาแปลข้อความต่อไปนี้เป็นภาษาไทย", _TH_TEXT, "คำแปล: ", _SENTENCE),
    "en_ta": Shape("பின்வரும் உரையைத் தமிழ் மொழிக்கு மொழிபெயர்க்கவும்.", "உரை: ", "மொழிபெயர்ப்பு: ", _SENTENCE),
    "id_en": Shape("Terjemahkan teks berikut ini ke dalam Bahasa Inggris.", "Teks: ", "Terjemahan: ", _SENTENCE),
    "vi_en": Shape("Dịch văn bản dưới đây sang Tiếng Anh.", "Văn bản: ", "Bản dịch: ", _SENTENCE),
    "th_en": Shape("กรุณาแปลข้อความต่อไปนี้เป็นภาษาอังกฤษ", _TH_TEXT, "คำแปล: ", _SENTENCE),
    "ta_en": Shape("பின்வரும் உரையை ஆங்கில மொழிக்கு மொழிபெயர்க்கவும்.", "உரை: ", "மொழிபெயர்ப்பு: ", _SENTENCE),
}
