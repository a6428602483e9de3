"""What holds for every game, whatever its rules: checks that an installed ruleset passes, ours or anybody's.

A check takes a sample (one simulated game) or the name of a ruleset, and yields one line for each problem it finds.

    from replays.conformance import CHECKS, Check, Sample, assert_none, check_name, samples

    @pytest.mark.parametrize("check", CHECKS, ids=check_name)
    @pytest.mark.parametrize("sample", samples("my-game"), ids=str)
    def test_my_game_conforms(check: Check[Sample], sample: Sample) -> None:
        assert_none(check(sample))
"""

from __future__ import annotations

from replays.conformance.game_checks import (
    accepts_what_it_expects,
    cites_rules_of_its_catalogue,
    decides_alike_each_way,
    goes_on_from_any_position,
    goes_on_in_another_log,
    infers_what_is_told_here_and_left_out_there,
    infers_what_leaves_no_choice,
    is_clean,
    is_clean_without_what_nobody_owes,
    reads_every_position_it_writes,
    reads_the_score_sheet_it_writes,
    replays_fast_as_one_by_one,
    says_of_a_prefix_what_it_says_of_the_whole,
    says_the_same_twice,
    upcoming_leaves_nothing_out,
)
from replays.conformance.ruleset_checks import (
    asks_what_may_be_ambiguous,
    case_problems,
    has_a_sentence_of_every_event,
    has_a_statement_of_every_rule,
    has_cases_that_show_what_they_say,
    has_seats_without_players,
    refuses_an_unknown_pool,
)
from replays.conformance.sample import Check, Sample, assert_none, check_name, mistaken, samples
from replays.conformance.viewer_checks import (
    finds_no_viewer_wrong,
    has_a_key_for_every_thing,
    names_no_card_that_was_not_shown,
    says_every_step_in_words,
    shows_a_viewer_only_what_they_saw,
    shows_every_card_of_a_view_and_no_other,
    shows_every_position,
    tells_no_card_that_stays_hidden,
)

RULESET_CHECKS: tuple[Check[str], ...] = (
    has_seats_without_players,
    refuses_an_unknown_pool,
    has_a_statement_of_every_rule,
    has_a_sentence_of_every_event,
    asks_what_may_be_ambiguous,
    has_cases_that_show_what_they_say,
)
"""The checks of a ruleset as a whole."""

CHECKS: tuple[Check[Sample], ...] = (
    is_clean,
    is_clean_without_what_nobody_owes,
    accepts_what_it_expects,
    upcoming_leaves_nothing_out,
    cites_rules_of_its_catalogue,
    decides_alike_each_way,
    replays_fast_as_one_by_one,
    says_the_same_twice,
    says_of_a_prefix_what_it_says_of_the_whole,
    goes_on_from_any_position,
    reads_every_position_it_writes,
    goes_on_in_another_log,
    reads_the_score_sheet_it_writes,
    infers_what_leaves_no_choice,
    infers_what_is_told_here_and_left_out_there,
    finds_no_viewer_wrong,
    shows_a_viewer_only_what_they_saw,
    names_no_card_that_was_not_shown,
    tells_no_card_that_stays_hidden,
    says_every_step_in_words,
    shows_every_position,
    shows_every_card_of_a_view_and_no_other,
    has_a_key_for_every_thing,
)
"""The checks of a simulated game."""

__all__ = [
    "CHECKS",
    "RULESET_CHECKS",
    "Check",
    "Sample",
    "assert_none",
    "case_problems",
    "check_name",
    "mistaken",
    "samples",
    *(check.__name__ for check in (*RULESET_CHECKS, *CHECKS)),
]
