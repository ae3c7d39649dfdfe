from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from mdh2urdf.errors import Finding, Mdh2UrdfError
from mdh2urdf.yaml_nodes import Fields, Items, Scalar, SourceText, compose, find, path_text, plain_data


def nodes(text, tags=()):
    problems = []
    root = compose(SourceText("f.yaml", text), problems, tags)
    assert problems == []
    return root


def data(text):
    return plain_data(nodes(text))


def refusal(text):
    with pytest.raises(Mdh2UrdfError) as error:
        compose(SourceText("f.yaml", text), [])
    return str(error.value)


@pytest.fixture(params=["C", "Python"])
def _either_parser(request, monkeypatch):
    if request.param == "Python":
        monkeypatch.delattr(yaml, "CSafeLoader")


@pytest.mark.usefixtures("_either_parser")
def test_every_node_knows_its_place_in_lines_and_columns():
    text = "# ∠ größe 🤖\r\na: {b: [1, 🤖, 'x']}\r\nc:\r\n  - d: é\r\n"
    source = SourceText("f.yaml", text)
    root = compose(source, [])
    places = {
        path: source.place(find(root, path).index)
        for path in [("a",), ("a", "b"), ("a", "b", 0), ("a", "b", 1), ("a", "b", 2), ("c",), ("c", 0), ("c", 0, "d")]
    }
    assert places == {
        ("a",): (2, 4),
        ("a", "b"): (2, 8),
        ("a", "b", 0): (2, 9),
        ("a", "b", 1): (2, 12),
        ("a", "b", 2): (2, 15),
        ("c",): (4, 3),
        ("c", 0): (4, 5),
        ("c", 0, "d"): (4, 8),
    }
    assert source.place(root.keys["c"]) == (3, 1)
    assert source.place(-1) == (0, 0)


@pytest.mark.usefixtures("_either_parser")
def test_data_is_that_of_yaml_1_2_with_dates_as_text():
    text = """
    whole: [0, -12, +7, 007]
    decimal: [1.5, .5, 5., 1e3, -2.5E-3]
    text: [1_000, 0x10, 2024-01-02, 1:30, .inf, nan, yes, "1", 'true', "null", 12345678901234567890, 1e999]
    truth: [true, False, TRUE]
    nothing: [~, null, Null, ]
    empty:
    block: |
      two
      lines
    """
    assert data(text) == {
        "whole": [0, -12, 7, 7],
        "decimal": [1.5, 0.5, 5.0, 1000.0, -0.0025],
        "text": [
            *("1_000", "0x10", "2024-01-02", "1:30", ".inf", "nan", "yes", "1", "true", "null"),
            *(1.2345678901234567e19, "1e999"),
        ],
        "truth": [True, False, True],
        "nothing": [None, None, None],
        "empty": None,
        "block": "two\nlines\n",
    }


@pytest.mark.usefixtures("_either_parser")
def test_an_alias_stands_for_the_node_that_its_anchor_names():
    root = nodes("a: &x {b: 1}\nc: *x\nd: &y [1, &z 2]\ne: [*y, *z]\nf: &x 3\ng: *x\n")
    assert root.items["c"] is root.items["a"]
    assert plain_data(root) == {"a": {"b": 1}, "c": {"b": 1}, "d": [1, 2], "e": [[1, 2], 2], "f": 3, "g": 3}


@pytest.mark.usefixtures("_either_parser")
def test_merged_fields_count_where_a_mapping_has_none_itself():
    text = "a: &a {x: 1, y: 2}\nb: &b {y: 3, z: 4}\nc: {x: 0, <<: *a}\nd: {<<: [*b, *a]}\ne: {<<: {q: 1}}\n"
    merged = data(text)
    assert merged["c"] == {"x": 0, "y": 2}
    assert merged["d"] == {"x": 1, "y": 3, "z": 4}
    assert merged["e"] == {"q": 1}


def test_allowed_tags_are_kept_on_their_scalars():
    assert nodes("a: !degrees 90", ("!degrees",)).items["a"] == Scalar("90", 3, "!degrees")
    assert nodes("a: 'x'").items["a"] == Scalar("x", 3, "", plain=False)


def test_tags_are_reported_and_reading_goes_on():
    problems = []
    root = compose(SourceText("f.yaml", "a: !m 1\nb: [!!int 2, !x {c: 3}]\n"), problems)
    assert plain_data(root) == {"a": 1, "b": [2, {"c": 3}]}
    assert [str(problem) for problem in problems] == [
        "f.yaml:1:4: a: tag !m is not allowed",
        "f.yaml:2:5: b[0]: tag !!int is not allowed",
        "f.yaml:2:14: b[1]: tag !x is not allowed",
    ]


def test_what_was_wrong_before_a_syntax_error_is_told_with_it():
    assert refusal("a: 1\na: 2\nb: c: d") == (
        "f.yaml:2:1: a: is given twice\nf.yaml:3:5: is not valid YAML: mapping values are not allowed in this context"
    )


@pytest.mark.usefixtures("_either_parser")
@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("a: b: c", "f.yaml:1:5: "),
        ("a: [1, 2\nb: 3", "f.yaml:2:"),
        ("a: 'b", "f.yaml:1:6: "),
        ("\ta: 1", "f.yaml:1:1: "),
        ("a: \x07", "f.yaml:1:4: holds a character that YAML does not allow"),
        ("a: 1\n---\nb: 2", "f.yaml:2:1: holds a second document; a file describes one thing"),
        ("", "f.yaml: is empty"),
        ("--- \n...\n", "f.yaml: is empty"),
    ],
)
def test_both_parsers_refuse_the_same_texts_at_the_same_place(text, start):
    message = refusal(text)
    assert message.startswith(start)
    assert "\n" not in message


def test_an_error_without_a_place_is_told_without_one(monkeypatch):
    def broken(text):
        raise yaml.MarkedYAMLError(problem="cannot go on")

    monkeypatch.setattr(yaml, "CSafeLoader", broken)
    assert refusal("a: 1") == "f.yaml: is not valid YAML: cannot go on"


def test_a_character_that_only_the_parser_refuses_is_told_without_a_place(monkeypatch):
    def broken(text):
        raise yaml.reader.ReaderError("f", 0, "a", "utf-8", "refused")

    monkeypatch.setattr(yaml, "CSafeLoader", broken)
    assert refusal("a: 1") == "f.yaml: holds a character that YAML does not allow"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ((), ""),
        (("joints", 2, "alpha"), "joints[2].alpha"),
        (("links", "my link", "mass"), 'links["my link"].mass'),
        (("two\nlines",), '["two\\nlines"]'),
        (("links", "Gelenk-ä"), "links.Gelenk-ä"),
        (("links", "x" * 100), 'links["' + "x" * 60 + '"]'),
        ((0, 1), "[0][1]"),
    ],
)
def test_a_path_is_one_line_that_a_reader_can_follow(path, text):
    assert path_text(path) == text


def test_a_path_that_ends_early_leads_to_the_last_node_on_it():
    root = nodes("a: [1, {b: 2}]")
    assert find(root, ("a", 1, "c", "d")) is root.items["a"].items[1]
    assert find(root, ("a", 7)) is root.items["a"]
    assert find(root, ("a", "b")) is root.items["a"]


def test_a_finding_has_place_path_and_rule():
    source = SourceText("f.yaml", "a:\n  b: 1\n")
    assert source.finding(5, ("a", "b"), "is odd", "oddity") == Finding(
        message="is odd", rule="oddity", file="f.yaml", line=2, column=3, path="a.b"
    )


texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x85\u2028\u2029"))  # line breaks to YAML
scalars = st.none() | st.booleans() | st.integers(-(10**15) + 1, 10**15 - 1) | texts
numbers = st.floats(allow_nan=False, allow_infinity=False)  # .inf is text to this reader
keys = texts.filter(lambda key: key != "<<")
values = st.recursive(
    scalars | numbers,
    lambda below: st.lists(below, max_size=4) | st.dictionaries(keys, below, max_size=4),
    max_leaves=12,
)


@given(values, st.booleans())
def test_what_another_writer_wrote_is_read_back(value, flow):
    written = yaml.safe_dump({"value": value}, default_flow_style=flow, allow_unicode=True)
    assert data(written)["value"] == value


@given(st.text(alphabet="ab:{}[],&*!?|>-'\"#%@ \n\t~<0.", max_size=60))
def test_no_text_leads_to_anything_but_nodes_or_an_error_with_a_line(text):
    assert isinstance(outcome(text), Fields | Items | Scalar | Mdh2UrdfError)


def outcome(text):
    try:
        root = compose(SourceText("f.yaml", text), [])
    except Mdh2UrdfError as error:
        assert all(str(problem).startswith("f.yaml") for problem in error.problems)  # noqa: PT017
        return error
    plain_data(root)
    return root
