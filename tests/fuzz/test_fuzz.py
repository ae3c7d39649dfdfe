"""Whatever the bytes are: a model comes out, or the project's own error with one line a problem.

The kept files and a few hundred drawn ones of each kind, ``FUZZ_TIMES`` as many where that is set; `run.py` goes on
with libFuzzer.
"""

from __future__ import annotations

import json
import os
import struct

import pytest
import targets
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree
from seeds import WORDS, kept, seeds
from targets import TARGETS

from readers import require_module

TIMES = int(os.environ.get("FUZZ_TIMES", "1"))

NUMBERS = [0, 1, -1, 0.5, 90, 1e-9, 1e300, -1e300, True, None]

broken_seeds = {name: st.sampled_from(seeds(name)) for name in TARGETS}
bits = st.sampled_from(
    [b"", b"0", b"-", b".", b"e9", b"\n", b" ", b"\t", b"\0", b"<", b">", b'"', b"{", b"}", b"[", b"]"]
)
more_bits = st.sampled_from([b":", b",", b"*", b"&a", b"!", b"${", b"nan", b"1e999", b"\xff", "é".encode(), b"#", b"'"])


def spoilt(data: bytes, places: list[tuple[float, int, bytes]]) -> bytes:
    """Some bytes taken away and others put in their place, at shares of the length."""
    for share, length, put in places:
        start = int(share * len(data))
        data = data[:start] + put + data[start + length :]
    return data


spoils = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 12), bits | more_bits), min_size=1, max_size=4)


def words(name: str):
    return st.sampled_from(WORDS[name].split())


def nested(name: str):
    scalars = st.sampled_from(NUMBERS) | words(name) | st.text(max_size=4) | st.floats()
    return st.recursive(
        scalars,
        lambda below: (
            st.lists(below, max_size=4) | st.dictionaries(words(name) | st.text(max_size=3), below, max_size=5)
        ),
        max_leaves=15,
    )


@st.composite
def elements(draw, name: str, depth: int = 0):
    """An element with known names, attributes and numbers wherever they please."""
    tags = [word for word in WORDS[name].split() if word.isidentifier()]
    element = etree.Element(draw(st.sampled_from(tags)) if depth else tags[0])
    values = st.sampled_from(["0", "1", "0 0 1", "1 0 0 0 0 0", "nan", "", "a", "1e400", "-1 1", "revolute"]) | words(
        name
    )
    for key in draw(st.lists(st.sampled_from(tags), max_size=4, unique=True)):
        element.set(key, draw(values))
    if depth < 4:
        element.extend(draw(st.lists(elements(name, depth + 1), max_size=3)))
    if draw(st.booleans()):
        element.text = draw(values)
    return element


@pytest.mark.parametrize("name", TARGETS)
def test_the_kept_files_break_nothing(name):
    for data in seeds(name):
        TARGETS[name](data)


@pytest.mark.parametrize("name", TARGETS)
def test_the_sound_files_are_read_to_the_end(name):
    sound = [path for path in kept(name) if path.name.startswith("sound")]
    assert sound or name in ("dump", "urdf")
    if name == "stl":
        require_module("trimesh")
    for path in sound:
        getattr(targets, name)(path.read_bytes())


@pytest.mark.parametrize("name", TARGETS)
def test_any_bytes(name):
    @given(st.binary(max_size=300))
    @settings(max_examples=50 * TIMES)
    def fuzz(data):
        TARGETS[name](data)

    fuzz()


@pytest.mark.parametrize("name", TARGETS)
def test_any_text(name):
    @given(st.text(max_size=120))
    @settings(max_examples=50 * TIMES)
    def fuzz(text):
        TARGETS[name](text.encode("utf-8", "replace"))

    fuzz()


@pytest.mark.parametrize("name", TARGETS)
def test_known_files_with_some_places_spoilt(name):
    @given(broken_seeds[name], spoils)
    @settings(max_examples=100 * TIMES)
    def fuzz(data, places):
        TARGETS[name](spoilt(data, places))

    fuzz()


@pytest.mark.parametrize("name", ["table", "screws", "vendor", "settings"])
def test_yaml_of_any_structure(name):
    @given(nested(name))
    @settings(max_examples=100 * TIMES)
    def fuzz(content):
        TARGETS[name](yaml.safe_dump(content, allow_unicode=True).encode())

    fuzz()


@given(nested("dump"))
@settings(max_examples=100 * TIMES)
def test_json_of_any_structure(content):
    TARGETS["dump"](json.dumps(content).encode("utf-8", "replace"))


@pytest.mark.parametrize("name", ["urdf", "mjcf", "sdf", "xacro"])
def test_xml_of_any_structure(name):
    @given(elements("urdf" if name == "xacro" else name))
    @settings(max_examples=100 * TIMES)
    def fuzz(element):
        TARGETS[name](etree.tostring(element))

    fuzz()


@given(
    st.integers(0, 6),
    st.lists(st.lists(st.floats(width=32), min_size=12, max_size=12), max_size=5),
    st.binary(max_size=3),
)
@settings(max_examples=100 * TIMES)
def test_stl_of_any_numbers(count, triangles, tail):
    body = b"".join(struct.pack("<12fH", *numbers, 0) for numbers in triangles)
    TARGETS["stl"](bytes(80) + struct.pack("<I", count) + body + tail)


@given(
    st.lists(
        st.sampled_from(["1", "a", "phi", "q", "+", "-", "*", "/", "**", "(", ")", ",", "deg", "atan2", ".", "e", " "])
    )
)
@settings(max_examples=100 * TIMES)
def test_expressions_of_any_tokens(tokens):
    TARGETS["expression"]("".join(tokens).encode())
