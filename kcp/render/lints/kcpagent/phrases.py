"""The classics: setting aside what the agent was told, a new role, a demand for its prompt.

They are withheld whatever else a text says, unless they are quoted. Patterns are for plain text: lower case,
without marks above letters. An order of an English pattern stands where an imperative does.
"""

from __future__ import annotations

import re

from kcp.render.lints import Hit

_PLACE = r"(?:\A|[.!?:;\n>*)–—\"“„«»-] ?|\b(?:please|now|then|just|must|should|and|so|first)\s)"
_EARLIER = (
    r"(?:all|any|every|of|the|these|those|your|my|its|previous|prior|earlier|above|preceding|foregoing|former|"
    r"past|existing|initial|original|system|other|given|safety)\s+"
)
_ENGLISH = (
    rf"{_PLACE}(?:ignore|disregard|forget|override|neglect|dismiss|set aside|drop|bypass|overrule)\s+"
    rf"(?=(?:{_EARLIER}){{0,4}}(?:all|your|previous|prior|earlier|above|preceding|foregoing|system|original|"
    rf"existing|initial)\s)(?:{_EARLIER}){{1,5}}(?:instruction|directive|guideline|prompt|order|constraint|"
    r"restriction|guardrail|polic(?:y|ies)\b|rules\b)"
)
_ROLE = (
    rf"{_PLACE}you are now (?:an? |the )?(?:\w+ ){{0,2}}(?:dan|ai|assistant|bot|model|agent|unrestricted|"
    r"unfiltered|jailbroken|root|administrator)\b"
)
_PROMPT = (
    rf"{_PLACE}(?:print|reveal|show|repeat|output|display|leak|send|give|tell|disclose|dump|paste|recite|"
    r"share|post) (?:\w+ ){0,4}(?:system prompt|initial instructions|hidden instructions)\b"
)
# A verb, what may stand between, and what it is done to.
_OTHERS = {
    "no, da": (
        r"\b(?:ignorer|glem|overse|se bort fra) (?:alle |de |alt )*"
        r"(?:tidligere|forrige|foregaende|dine|andre) (?:instruksjon|instruks|instruktion|regl|beskjed|ordr)"
    ),
    "sv": (
        r"\b(?:ignorera|glom|bortse fran|strunta i) (?:alla |de )*(?:tidigare|foregaende|dina|andra) "
        r"(?:instruktion|regl|anvisning|order)"
    ),
    "de": (
        r"\b(?:ignoriere?|ignorieren sie|vergiss|vergessen sie|missachte) (?:alle |die |samtliche )*"
        r"(?:bisherigen?|vorherigen?|vorigen?|fruheren?|obigen?|deine|ihre) "
        r"(?:anweisung|regel|instruktion|vorgabe|befehl)"
    ),
    "fr": (
        r"\b(?:ignore[zs]?|oublie[zs]?|neglige[zs]?) (?:toutes? )?(?:(?:les |des )?"
        r"(?:instruction|consigne|regle|directive)s? (?:preceden|anterieur|ci-dessus)|"
        r"(?:tes|vos) (?:instruction|consigne|regle|directive))"
    ),
    "es": (
        r"\b(?:ignora|ignore|ignoren|olvida|olvide|descarta|descarte) (?:todas? |todos? )?"
        r"(?:(?:las |los |tus |sus )?(?:instruccion|regla|orden|indicacion)\w* (?:anterior|previa)|"
        r"(?:tus|sus) (?:instruccion|regla|orden))"
    ),
    "pt": (
        r"\b(?:ignore|ignora|esqueca|esquece|desconsidere|desconsidera) (?:todas? )?"
        r"(?:(?:as |suas |tuas )?(?:instruc|regra|orden|diretriz)\w* (?:anterior|previa|acima)|"
        r"(?:as )?(?:suas|tuas) (?:instruc|regra|orden))"
    ),
    "it": (
        r"\b(?:ignora|ignorate|dimentica|dimenticate) (?:tutte )?(?:le )?"
        r"(?:(?:istruzion|regol)\w* precedent|(?:tue|vostre) (?:istruzion|regol))"
    ),
    "nl": (
        r"\b(?:negeer|vergeet) (?:alle |de )*(?:eerdere|vorige|voorgaande|bovenstaande|je|jouw|uw) "
        r"(?:instructie|regel|opdracht)"
    ),
    "pl": (
        r"\b(?:zignoruj|ignoruj|zapomnij o|pomin) (?:wszystki\w+ )?(?:poprzedni\w+|wczesniejsz\w+|swo\w+) "
        r"(?:instrukcj|polece|zasad|wytyczn)"
    ),
    "ru": (
        r"\b(?:(?:про)?игнорируй|забудь)\w* (?:все |любые |обо всех |про |о )*"
        r"(?:предыдущ|прежн|прошл|ранее|свои|своих)\w* (?:\w+ )?(?:инструкц|указани|правил|команд)"
    ),
    "uk": (
        r"\b(?:про)?ігноруй\w* (?:усі |всі )?(?:попередн|колишн|свої)\w* "
        r"(?:інструкц|вказівк|правил|команд)"
    ),
    "tr": (
        r"\bonceki (?:tum |butun )?(?:talimat|kural|yonerge|komut)\w* "
        r"(?:yok say|unut|gormezden gel|dikkate alma)"
    ),
    "zh": (
        r"(?:忽略|无视|無視|忘记|忘掉|忘記|不要理会).{0,4}(?:之前|以前|先前|上述|前面|此前|上面|以上|所有|你的|一切)"
        r".{0,6}(?:指令|指示|提示词|规则|規則|命令)"
    ),
    "ja": (
        r"(?:これまで|以前|前|上記|今まで|それまで|すべて|全て)の.{0,8}"
        r"(?:指示|命令|ルール|指令|プロンプト)(?:は|を).{0,6}(?:無視|忘れ|破棄)"
    ),
    "ko": r"(?:이전|앞선|지금까지|위의|기존).{0,8}(?:지시|명령|지침|규칙|프롬프트).{0,8}(?:무시|잊어|잊고)",
    "ar": r"(?:تجاهل|انس).{0,8}(?:التعليمات|الاوامر|القواعد|الأوامر).{0,6}(?:السابق|اعلاه)",
    "hi": r"(?:पिछले|पहले के).{0,12}(?:निर्देश|नियम|आदेश).{0,12}(?:अनदेख|नज़रअंदाज़|नजरअंदाज|भूल)",
}
_PATTERNS = (
    (Hit("override", "override-phrase"), "|".join((_ENGLISH, *_OTHERS.values()))),
    (Hit("persona", "you-are-now"), _ROLE),
    (Hit("disclosure", "system-prompt"), _PROMPT),
)
# No pattern matches a text that has none of these.
_SIGNS = (
    *(
        "instru",
        "istru",
        "direct",
        "guideline",
        "prompt",
        "order",
        "constrain",
        "restrict",
        "guardrail",
        "polic",
    ),
    *(
        "rules",
        "regl",
        "regel",
        "regol",
        "beskjed",
        "ordr",
        "anvis",
        "anweis",
        "vorgabe",
        "befehl",
        "consigne",
    ),
    *(
        "orden",
        "indicac",
        "regra",
        "diretriz",
        "opdracht",
        "polece",
        "zasad",
        "wytyczn",
        "инструкц",
        "указани",
    ),
    *(
        "правил",
        "команд",
        "інструкц",
        "вказівк",
        "talimat",
        "kural",
        "yonerge",
        "komut",
        "指",
        "提示",
        "规则",
    ),
    *(
        "規則",
        "命令",
        "ルール",
        "プロンプト",
        "지시",
        "명령",
        "지침",
        "규칙",
        "프롬프트",
        "تعليمات",
        "وامر",
        "قواعد",
    ),
    *("निर्देश", "नियम", "आदेश", "you are now"),
)
_MARKS = '"“”„«»‹›「」『』'
_QUOTED = re.compile(rf"[{_MARKS}][^{_MARKS}]{{1,200}}[{_MARKS}]|(?<!\w)'[^']{{2,200}}'(?!\w)")
_LETTERS = re.compile(r"[^\W\d_]{2}")
# In one breath with these a classic is spoken of: a search, a title. The weights may still find it too heavy.
_SPOKEN_OF = (
    r"\A[^.!?\n。]{0,40}(?:attack|angrep|angreb|angriff|ataque|attaque|атак|攻击|攻撃|공격|exampl|exemp|"
    r"eksempel|beispiel|ejemplo|пример|przyklad|例|meaning|意味|意思|betyd|betek|что это|co to|"
    r"jailbreak|injection|injektion|explained|\bstudy|\bguide|antholog|\bmeme)"
)


_BLANKS = re.compile(r"\s+")


def _blank(match: re.Match[str]) -> str:
    return "\n" if "\n" in match.group() else " "


def find_phrase(plain: str) -> Hit | None:
    """The first classic in a plain text."""
    if not any(sign in plain for sign in _SIGNS):
        return None
    plain = _BLANKS.sub(_blank, plain)
    rest = _QUOTED.sub(" ", plain)
    # Who puts everything in quotation marks quotes nobody.
    said = plain if _LETTERS.search(rest) is None else rest
    for hit, pattern in _PATTERNS:
        match = re.search(pattern, said)
        if match is not None and re.search(_SPOKEN_OF, said[match.end() :]) is None:
            return hit
    return None
