"""`output_format_instructions=`: a sentence that says in which form to answer, for models that would rather chat.

The value names a benchmark, whose sentence goes before the instructions; with `_suffix` it goes to the end of the
prompt, and with `_no_prefix` it also forbids repeating the words that the prompt ends with. The sentences are HELM's.
"""

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from holoscope.core import AdapterSpec, RunSpec, UsageError
from holoscope.entries.arguments import choose

KEY = "output_format_instructions"
_SUFFIX, _NO_PREFIX = "_suffix", "_no_prefix"

_LETTER = "Answer with only a single letter."
_LAST_LETTER = "Answer only the last question with only a single letter."
_ARABIC_LETTER = "اكتب حرف الإجابة فقط، دون أي إضافات أخرى."
_OF_CHOICES = {
    "mmlu_only_last_question": _LAST_LETTER,
    "mcqa_only_last_question": _LAST_LETTER,
    "mcqa_no_period": f"{_LETTER} Do not include a period in your answer.",
    "arabic_mcqa": _ARABIC_LETTER,
}
"""Of joint multiple choice; any other benchmark's is the plain request for a letter."""
_OF_REASONED_CHOICES = dict.fromkeys(
    ("mmlu_pro", "gpqa"),
    'In your response, replace "insert answer here" with the single uppercase letter corresponding to your answer.',
)
_OF_TEXTS = {
    "narrative_qa": "Answer with one word, a few-word phrase, or a short sentence. "
    "Avoid extra, unnecessary information in the answer.",
    "natural_qa": "Answer with a short answer or a boolean 'yes' or 'no' answer.",
    "natural_qa_short_answer": "Answer with a short answer.",
    "legalbench": "Answer yes or no.",
    "legalbench_abercrombie": "Answer with only 'generic', 'descriptive', 'suggestive', 'arbitrary' or 'fanciful'.",
    "legalbench_function_of_decision_section": "Answer with only 'Facts', 'Procedural History', 'Issue', 'Rule', "
    "'Analysis', 'Conclusion' or 'Decree'.",
    "legalbench_yes_or_no": "Answer with only 'Yes' or 'No'.",
    "wmt_14": "Answer with the English translation.",
    "wmt_14_only_last_sentence": "Answer with only the English translation for the last sentence.",
    "math": "Wrap the final answer with the \\boxed{} command.",
    "numeric_nlg": "Answer with only description of the last table as a single paragraph on a single line.",
    "tab_fact": "Answer with only the classification of the last statement, either 'refuted' or 'entailed'.",
    "wikitq": "Answer only the last question with a short answer. Avoid extra, unnecessary information in the answer.",
    "arabic_mcqa": _ARABIC_LETTER,
}
_SENTENCES: Mapping[str, Mapping[str, str]] = {
    "generation": _OF_TEXTS,
    "multiple_choice_joint_chain_of_thought": _OF_REASONED_CHOICES,
}
"""By the adapter's method."""


def output_format(value: str) -> Callable[[RunSpec], RunSpec]:
    """The change that adds the sentence for `value`."""
    named = value.removesuffix(_SUFFIX)
    benchmark = named.removesuffix(_NO_PREFIX)

    def change(spec: RunSpec) -> RunSpec:
        adapter = spec.adapter
        sentence = _sentence(adapter, benchmark, spec.name)
        if named != benchmark:
            sentence += f" Do not include '{adapter.output_prefix.strip()}' in your answer."
        if named != value:
            return replace(spec, adapter=replace(adapter, global_suffix=f"{adapter.global_suffix}\n\n{sentence}"))
        instructions = f"{sentence}\n\n{adapter.instructions}" if adapter.instructions else f"{sentence}\n"
        return replace(spec, adapter=replace(adapter, instructions=instructions))

    return change


def _sentence(adapter: AdapterSpec, benchmark: str, run: str) -> str:
    if adapter.method == "multiple_choice_joint":
        return _OF_CHOICES.get(benchmark, _LETTER)
    if adapter.method not in _SENTENCES:
        raise UsageError(f"{KEY} is for generation and joint multiple choice; {run} is {adapter.method}")
    sentence = _SENTENCES[adapter.method][choose(KEY, benchmark, _SENTENCES[adapter.method])]
    noun = adapter.output_prefix.split(":")[0]
    is_yes_or_no = benchmark != "legalbench" or noun == "Answer"
    return sentence if is_yes_or_no else f"Answer with the {noun.lower()}."
