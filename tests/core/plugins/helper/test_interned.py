from __future__ import annotations

import numpy as np

from scheduler_core.plugins.helper.interned import VerdictCache
from scheduler_core.snapshot.vocabulary import Vocabulary


def test_each_value_is_judged_once_for_each_question() -> None:
    asked: list[tuple[int, str]] = []

    def is_longer(than: int, value: str) -> int:
        asked.append((than, value))
        return int(len(value) > than)

    cache, vocabulary = VerdictCache(is_longer), Vocabulary[str]()
    ids = np.array([vocabulary.id("a"), vocabulary.id("bcd"), vocabulary.id("a")], np.int32)
    assert cache.get(1, vocabulary).take(ids).tolist() == [0, 1, 0]
    more = np.array([vocabulary.id("ef"), 0], np.int32)
    assert cache.get(1, vocabulary).take(more).tolist() == [1, 0]
    assert cache.get(2, vocabulary).take(more).tolist() == [0, 0]
    assert asked == [(1, "a"), (1, "bcd"), (1, "ef"), (2, "a"), (2, "bcd"), (2, "ef")]


def test_a_forgotten_question_is_answered_again() -> None:
    cache = VerdictCache(lambda than, value: int(len(value) > than), size=1)
    vocabulary = Vocabulary[str]()
    ids = np.array([vocabulary.id("abc")], np.int32)
    for than in (1, 3, 1, 3):
        assert cache.get(than, vocabulary).take(ids).tolist() == [int(than < 3)]


def test_another_vocabulary_is_judged_anew() -> None:
    cache = VerdictCache(lambda than, value: int(len(value) > than))
    ids = np.zeros(1, np.int32)
    for text, longer in (("abc", 1), ("a", 0)):
        vocabulary = Vocabulary[str]()
        vocabulary.id(text)
        assert cache.get(1, vocabulary).take(ids).tolist() == [longer]
