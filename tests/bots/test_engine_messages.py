"""The lines of the engine protocol: writing, reading back, and refusing wrong ones."""

import json
from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kingdomino as kd
from kingdomino.bots.engine import messages
from kingdomino.bots.engine.conversation import MOST_OUTPUT
from kingdomino.bots.engine.messages import answer, id_of, request, to_line

whole = st.integers(1, 2**53 - 1)
words = st.text(max_size=20)
limits = st.builds(kd.bots.Limit, time=st.floats(0.001, 1e6) | st.none(), playouts=whole) | st.builds(
    kd.bots.Limit, time=st.floats(0.001, 1e6)
)
values = st.none() | st.booleans() | whole | words | st.lists(words, max_size=3)
objects = st.dictionaries(words, values, max_size=3)
requests = st.one_of(
    st.builds(messages.Hello, whole, st.lists(whole).map(tuple), words),
    st.builds(
        messages.NewGame,
        whole,
        words,
        st.integers(0, 3),
        st.integers(0, 2**64 - 1),
        st.lists(st.tuples(words, words)).map(tuple),
    ),
    st.builds(messages.Choose, whole, words, st.lists(words).map(tuple), limits),
    st.builds(messages.Stop, whole),
    st.just(messages.Quit()),
)
answers = st.one_of(
    st.builds(messages.Introduction, whole, whole, words, st.none() | words, st.none() | objects),
    st.builds(messages.Ready, whole),
    st.builds(messages.Chosen, whole, words),
    st.builds(messages.Info, whole, objects),
    st.builds(messages.Refusal, words, id=st.none() | whole),
)


def changed(message: messages.Request | messages.Answer, /, **values: object) -> bytes:
    """Write a message with other values in some of its fields."""
    return json.dumps(json.loads(to_line(message)) | values).encode()


@given(requests)
def test_a_request_is_read_as_it_was_written(message: messages.Request) -> None:
    line = to_line(message)
    assert request(line) == message
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1


@given(answers)
def test_an_answer_is_read_as_it_was_written(message: messages.Answer) -> None:
    assert answer(to_line(message)) == message


@given(requests, answers)
def test_unknown_fields_are_ignored(asked: messages.Request, answered: messages.Answer) -> None:
    assert request(changed(asked, tomorrow=1)) == asked
    assert answer(changed(answered, tomorrow=1)) == answered


@given(st.binary() | objects.map(lambda fields: json.dumps(fields).encode()))
def test_any_line_is_read_or_refused(line: bytes) -> None:
    number = id_of(line)
    assert number is None or number == json.loads(line)["id"]
    for reader in (request, answer):
        with suppress(kd.ParseError):
            reader(line)


@given(requests | answers, st.data())
def test_a_message_with_a_wrong_field_is_read_or_refused(
    message: messages.Request | messages.Answer, data: st.DataObject
) -> None:
    field = data.draw(st.sampled_from(sorted(json.loads(to_line(message)))))
    line = changed(message, **{field: data.draw(values | objects)})
    for reader in (request, answer):
        with suppress(kd.ParseError):
            reader(line)


def test_answers_of_unknown_kinds_are_none_and_requests_are_refused() -> None:
    assert answer(b'{"kind": "dance", "id": 3}') is None
    with pytest.raises(kd.ParseError, match='"dance" is not a kind of message here'):
        request(b'{"kind": "dance", "id": 3}')


@pytest.mark.parametrize(
    ("limit", "said"),
    [
        ({}, "needs a time, a number of playouts, or both"),
        ({"time": 0}, "above 0"),
        ({"time": "1"}, "'limit.time' must be a number, not \"1\""),
        ({"playouts": 0}, "a whole number from 1"),
    ],
)
def test_a_limit_that_limits_nothing_is_refused(limit: dict[str, object], said: str) -> None:
    with pytest.raises(kd.ParseError, match=said):
        request(changed(messages.Choose(1, "", (), kd.bots.Limit(time=1)), limit=limit))


def test_every_kind_of_message_has_its_line_in_the_documentation() -> None:
    page = (Path(__file__).parents[2] / "docs/formats/engine.md").read_text(encoding="utf-8")
    for message in (*get_args(messages.Request), *get_args(messages.Answer)):
        assert f"| `{message.kind}` |" in page
        for field in fields(message):
            assert f"`{field.name}`" in page
    assert f"{messages.LONGEST_LINE:,}" in page
    assert f"{MOST_OUTPUT:,}" in page
    assert f"*Version {messages.VERSION}." in page
