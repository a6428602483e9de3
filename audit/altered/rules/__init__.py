"""The rules of Altered, one module a section, in the order of the document."""

from audit.altered.rules import (
    day,
    deck,
    ffa,
    mp,
    s1_3_2,
    s4_2,
    s4_2_5,
    s4_4,
    s5_1_1,
    s5_3,
    s6_3,
    two_v_two,
)

TOPICS = (
    s1_3_2,
    s4_2,
    day,
    s4_2_5,
    s4_4,
    s5_1_1,
    s5_3,
    s6_3,
    ffa,
    mp,
    deck,
    two_v_two,
)
