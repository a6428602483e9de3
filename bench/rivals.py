"""Other libraries that read and check games, measured on random games: python-chess and PokerKit."""

from __future__ import annotations

import io
import time
import warnings
from collections.abc import Callable
from functools import partial
from random import Random

import chess
import chess.pgn
from pokerkit import Automation, HandHistory, NoLimitTexasHoldem, State

GAMES = 60
HANDS = 150
LONGEST = 160


def chess_rate() -> Callable[[], float]:
    """Tells moves a second: PGN read, each move checked to be legal and made on the board."""
    return partial(_read_pgn, "\n\n".join(_chess_game(Random(seed)) for seed in range(GAMES)))


def _chess_game(random: Random) -> str:
    board, game = chess.Board(), chess.pgn.Game()
    node: chess.pgn.GameNode = game
    while not board.is_game_over() and board.ply() < LONGEST:
        move = random.choice(list(board.legal_moves))
        node = node.add_variation(move)
        board.push(move)
    return str(game)


def _read_pgn(text: str) -> float:
    stream, moves = io.StringIO(text), 0
    start = time.process_time()
    while game := chess.pgn.read_game(stream):
        assert not game.errors
        moves += sum(1 for _ in game.mainline_moves())
    return moves / (time.process_time() - start)


def poker_rate() -> Callable[[], float]:
    """Tells actions a second: hands of hold'em read from their notation and played again."""
    return partial(_read_hands, [_poker_hand(Random(seed)) for seed in range(HANDS)])


def _poker_hand(random: Random) -> str:
    game = NoLimitTexasHoldem(tuple(_AUTOMATIC), True, 0, (1, 2), 2)
    state = game((200,) * 6, 6)
    while state.status:
        _act(state, random)
    return str(HandHistory.from_game_state(game, state).dumps())


def _act(state: State, random: Random) -> None:
    if state.can_deal_hole():
        state.deal_hole()
    elif state.can_deal_board():
        state.deal_board()
    elif state.can_complete_bet_or_raise_to() and random.random() < 0.2:
        state.complete_bet_or_raise_to()
    elif state.can_fold() and random.random() < 0.15:
        state.fold()
    elif state.can_check_or_call():
        state.check_or_call()
    else:
        state.show_or_muck_hole_cards(True)


_AUTOMATIC = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.CARD_BURNING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)


def _read_hands(texts: list[str]) -> float:
    actions = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the cards burned are not in the notation, and are missed later
        start = time.process_time()
        for text in texts:
            hand = HandHistory.loads(text)
            for _ in hand:
                pass
            actions += len(hand.actions)
        return actions / (time.process_time() - start)
