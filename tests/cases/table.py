"""Which test covers each of the shared cases from public bug reports, or which part of the work is to cover it.

A case whose fault lies in an extractor, a scorer, a metric, a perturbation or an aggregate names tests. Of the others
those that have tests already name them too.
"""

from typing import NamedTuple


class Later(NamedTuple):
    """A case that a part of the package owns which is not there yet."""

    part: str


JUDGES = Later("judges: reading verdicts, juries, pairwise comparison")

TABLE: dict[str, tuple[str, ...] | Later] = {
    "T001": ("cases/test_numbers.py::test_t001_a_bare_comma_is_no_number",),
    "T003": (
        "cases/test_numbers.py::test_t003_currency_points_and_zeros_do_not_change_a_number",
        "cases/test_numbers.py::test_t003_another_number_is_another",
    ),
    "T005": ("cases/test_numbers.py::test_t005_values_are_compared_with_sign_and_exponent",),
    "T007": (
        "cases/test_numbers.py::test_t007_an_escaped_currency_sign_is_one",
        "cases/test_numbers.py::test_t007_an_unreadable_last_answer_is_not_replaced_by_an_earlier_one",
    ),
    "T009": ("cases/test_numbers.py::test_t009_fraction_characters_are_numbers",),
    "T011": ("cases/test_numbers.py::test_t011_the_last_mark_wins",),
    "T013": ("cases/test_numbers.py::test_t013_a_gold_keeps_its_sign",),
    "T015": (
        "cases/test_choices.py::test_t015_letters_in_latex_markdown_and_brackets",
        "cases/test_choices.py::test_t015_what_is_not_parsed_is_not_merely_wrong",
    ),
    "T017": ("cases/test_choices.py::test_t017_letters_within_words_are_no_choice",),
    "T020": (
        "cases/test_choices.py::test_t020_labels_come_back_for_up_to_sixty_options",
        "cases/test_choices.py::test_t020_the_36th_of_40",
    ),
    "T021": ("cases/test_choices.py::test_t021_a_stated_answer_beats_the_last_letter",),
    "T024": ("cases/test_choices.py::test_t024_chinese_phrases",),
    "T026": ("cases/test_choices.py::test_t026_a_letter_that_begins_a_word_is_none",),
    "T027": (
        "cases/test_choices.py::test_t027_punctuation_space_and_the_options_own_text",
        "cases/test_choices.py::test_t027_a_text_of_two_options_is_neither",
    ),
    "T030": (
        "cases/test_self_check.py::test_t030_every_label_of_every_task_is_found",
        "cases/test_self_check.py::test_t030_every_worked_solution_of_gsm_ends_in_a_number_that_is_found",
    ),
    "T031": (
        "cases/test_formulas.py::test_t031_every_gold_equals_itself",
        "metrics/test_maths_properties.py::test_every_text_equals_itself",
        "metrics/test_maths_properties.py::test_the_order_of_two_texts_does_not_matter",
    ),
    "T032": (
        "cases/test_formulas.py::test_t032_notation_does_not_matter",
        "cases/test_formulas.py::test_t032_a_point_is_no_comma",
    ),
    "T034": ("cases/test_formulas.py::test_t034_a_number_within_a_formula_is_not_its_value",),
    "T037": (
        "cases/test_formulas.py::test_t037_two_boxes_are_no_set",
        "cases/test_formulas.py::test_t037_a_box_is_whole_and_balanced_and_the_last",
    ),
    "T038": ("cases/test_formulas.py::test_t038_boxes_and_statements_are_found_and_the_rule_is_kept",),
    "T040": ("cases/test_formulas.py::test_t040_dollar_signs_do_not_matter",),
    "T041": (
        "metrics/test_reported_faults.py::test_t041_articles_do_not_empty_an_answer",
        "metrics/test_reported_faults.py::test_t041_the_normaliser_is_of_the_language",
    ),
    "T043": ("metrics/test_reported_faults.py::test_t043_repetition_costs_precision",),
    "T046": ("metrics/test_reported_faults.py::test_t046_case_is_folded_in_every_script",),
    "T047": (
        "cases/test_aggregates.py::test_t047_the_next_passage_is_no_part_of_the_answer",
        "cases/test_aggregates.py::test_t047_a_full_stop_does_not_cut_a_decimal",
    ),
    "T049": ("metrics/test_reported_faults.py::test_t049_a_denial_is_no_match",),
    "T050": (
        "metrics/test_scripts.py::test_the_same_sentence_is_the_same",
        "metrics/test_overlap.py::test_rouge_reads_every_script",
    ),
    "T053": (
        "metrics/test_confidence.py::test_bytes_are_those_of_utf8",
        "metrics/test_sets.py::test_likelihood_is_that_of_all_text_together",
    ),
    "T055": (
        "metrics/test_reported_faults.py::test_t055_without_log_probabilities_there_is_no_calibration",
        "metrics/test_reported_faults.py::test_t055_one_confidence_is_off_by_its_gap",
        "metrics/test_reported_faults.py::test_t055_nothing_has_no_calibration",
        "metrics/test_reported_faults.py::test_t055_zero_and_one_are_in_the_outer_bins",
    ),
    "T057": (
        "metrics/test_reported_faults.py::test_t057_ties_are_expected_accuracy",
        "metrics/test_separate.py::test_nan_fails_the_item",
    ),
    "T058": ("interop/test_helm_summarize.py::test_a_win_rate_counts_the_models_that_are_beaten_and_half_the_ties",),
    "T060": ("cases/test_aggregates.py::test_t060_replies_that_cannot_be_read_are_counted_and_not_dropped",),
    "T063": (
        "cases/test_aggregates.py::test_t063_one_cluster_has_no_interval_and_no_nan",
        "cases/test_aggregates.py::test_t063_a_value_that_is_no_number_is_flagged_and_counted",
        "cases/test_aggregates.py::test_t063_a_group_called_like_the_total_is_told_from_it",
    ),
    "T065": ("metrics/test_reported_faults.py::test_t065_fewer_draws_than_k_are_never_one",),
    "T068": JUDGES,
    "T070": ("prompts/test_sampling.py::test_only_the_main_split_is_asked",),
    "T071": ("interop/test_helm_summarize.py::test_a_run_added_later_appears_beside_the_first",),
    "T073": (
        "interop/test_helm_summarize.py::test_a_run_that_the_schema_does_not_know_is_shown_under_other_with_a_warning",
    ),
    "T074": ("perturbations/test_fairness.py::test_pronouns_are_found_at_the_edges_and_side_by_side",),
    "T076": (
        "perturbations/test_fairness.py::test_a_word_keeps_its_case",
        "perturbations/test_words.py::test_case_is_kept",
    ),
    "T077": (
        "perturbations/test_augmentation.py::test_one_and_sixteen_threads_give_the_same_bytes",
        "perturbations/test_augmentation.py::test_the_order_and_company_of_instances_does_not_matter",
    ),
    "T080": (
        "metrics/test_measuring.py::test_perturbed_and_unperturbed_are_compared_on_the_same_instances",
        "metrics/test_measuring.py::test_how_many_instances_were_changed_stands_beside_the_worst_case",
    ),
    "T081": ("cli/test_commands.py::test_a_dry_run_counts_perturbed_requests_apart",),
    "T082": ("models/test_lessons.py::test_t082_a_reasoning_model_is_asked_as_it_wants_and_the_changes_are_said",),
    "T083": (
        "models/test_faults.py::test_t083_context_overflow_is_told_by_its_words",
        "models/wires/test_wires.py::test_a_prompt_that_is_not_taken",
    ),
    "T086": (
        "models/test_outcomes.py::test_t086_a_limit_within_the_reasoning_is_an_empty_answer_with_a_reason",
        "models/wires/test_wires.py::test_reasoning_that_used_up_the_limit",
    ),
    "T089": (
        "models/test_outcomes.py::test_t089_a_withheld_answer_is_content_filter_and_not_an_empty_one",
        "models/wires/test_wires.py::test_an_answer_that_was_withheld",
        "models/wires/test_wires.py::test_a_prompt_that_is_not_taken",
    ),
    "T091": (
        "models/test_failures.py::test_t091_an_error_in_a_200_is_no_answer",
        "models/wires/test_wires.py::test_a_page_of_html_is_no_answer",
    ),
    "T092": (
        "models/test_failures.py::test_t092_retry_after_in_seconds",
        "engine/test_retry.py::test_retry_after_is_waited_for_each_time_and_then_the_answer_comes",
        "models/wires/test_wires.py::test_retry_after_in_seconds",
        "models/wires/test_wires.py::test_retry_after_as_a_date",
    ),
    "T095": (
        "models/test_outcomes.py::test_t095_stop_sequences_count_only_after_the_reasoning",
        "models/wires/test_wires.py::test_stop_sequences_count_after_the_reasoning",
    ),
    "T096": (
        "models/test_thinking.py::test_t096_what_follows_the_reasoning_is_graded",
        "metrics/test_thinking.py::test_the_answer_starts_after_the_thinking",
        "metrics/test_thinking.py::test_other_tags_can_be_named",
        "models/wires/test_wires.py::test_reasoning_is_apart_from_the_answer",
    ),
    "T099": JUDGES,
    "T101": JUDGES,
    "T103": (
        "models/test_resolve.py::test_t103_two_models_at_one_address_do_not_share_answers",
        "cli/test_commands.py::test_two_models_never_share_an_answer",
    ),
    "T106": (
        "engine/test_crash.py::test_kill_9_at_any_moment_repeats_at_most_what_was_in_flight",
        "engine/test_ledger.py::test_two_processes_of_many_tasks_are_never_locked_out",
        "engine/test_ledger.py::test_a_damaged_file_is_set_aside_and_its_answers_are_saved",
        "cli/test_wires.py::test_each_fate_is_told_apart_and_paid_once",
    ),
    "T107": (
        "pipeline/test_kill.py::test_killed_runs_lose_at_most_what_was_in_flight",
        "cli/test_commands.py::test_a_larger_m_extends_the_same_run",
    ),
    "T109": ("entries/test_language.py::test_t109_a_key_ends_at_the_first_equals_sign",),
    "T110": ("entries/test_language.py::test_t110_commas_in_a_mapping_do_not_end_it",),
    "T113": ("entries/test_lists.py::test_t113_every_way_to_type_two_names_gives_two",),
    "T114": (
        "entries/test_language.py::test_t114_a_model_keeps_its_slashes_and_colons",
        "entries/test_language.py::test_t114_a_stray_quote_is_refused_with_its_position",
    ),
    "T117": (
        "store/test_folders.py::test_folder_name_of_a_hostile_300_character_name_is_portable_and_short",
        "store/test_folders.py::test_path_of_a_run_stays_under_200_characters",
    ),
    "T118": (
        "models/test_deployments.py::test_t118_files_are_utf_8_whatever_the_locale",
        "test_imports.py::test_open_states_its_encoding",
    ),
    "T120": ("scenarios/test_rows.py::test_a_byte_order_mark_is_no_part_of_a_csvs_first_column",),
    "T122": ("models/test_tokenizers.py::test_t122_a_cut_text_never_has_more_tokens_than_the_limit",),
    "T124": ("prompts/test_fitting.py::test_a_window_full_of_answer_is_refused",),
    "T125": (
        "prompts/test_fitting.py::test_whole_examples_are_dropped_until_it_fits",
        "prompts/test_fitting.py::test_instructions_and_question_are_kept_when_examples_go",
    ),
    "T127": (
        "prompts/test_sampling.py::test_a_grouped_file_is_sampled_from_all_its_groups",
        "prompts/test_sampling.py::test_a_seed_repeats_its_sample",
        "prompts/test_sampling.py::test_another_seed_draws_another_sample",
    ),
    "T131": (
        "scenarios/test_benchmarks.py::test_hashes_are_those_of_the_files_read",
        "scenarios/test_sources.py::test_what_does_not_match_the_pin_is_refused_and_leaves_nothing",
    ),
    "T132": (
        "models/huggingface/test_transformers.py::test_t132_a_checkpoint_s_own_code_is_not_run",
        "models/huggingface/test_transformers.py::test_t132_code_of_a_hub_must_be_pinned",
        "models/test_vllm_offline.py::test_code_of_a_repository_must_be_pinned",
    ),
    "T135": ("scenarios/test_sources.py::test_check_names_the_scenario_the_cause_and_the_remedy",),
}
