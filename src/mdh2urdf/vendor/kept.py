"""Entries of a kinematics file that are no joints, as text that can stand in another file."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import yaml

from mdh2urdf.cells import CellReader

TOP = "kinematics"

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The parser that has checked the file: the one in Python refuses tabs that libyaml takes."""

_TEXT = "tag:yaml.org,2002:str"


def kept_entries(reader: CellReader, rows: Collection[str]) -> dict[str, str]:
    """Entries that are no rows, by their path, byte for byte; lines after the first moved left by the first's column.

    What would be read in another way where it is written again (it needs the braces or the anchors around it, or
    ends where the file does) is kept by its value. The file has no problem so far: keys are text, each once.
    """
    text = reader.source.text
    kept: dict[str, str] = {}
    try:
        top: Any = yaml.compose(text, Loader=_LOADER)
    except yaml.composer.ComposerError as error:
        index = -1 if error.problem_mark is None else error.problem_mark.index
        reader.problem(index, (), "an anchor is given twice; where metadata is kept, each has a name of its own")
        return kept
    for key, value in top.value:
        if key.value == TOP:
            inside = [(inner, entry) for inner, entry in value.value if inner.value not in rows]
            kept.update((f"{TOP}.{inner.value}", _entry(reader, inner, entry)) for inner, entry in inside)
        elif key.value not in rows:
            path = f'["{key.value}"]' if key.value.startswith(f"{TOP}.") else key.value
            kept[path] = _entry(reader, key, value)
    return kept


def _entry(reader: CellReader, key: Any, value: Any) -> str:
    if value.start_mark.index < key.end_mark.index:
        reader.problem(key.start_mark.index, (key.value,), "is an alias; metadata is kept as it is written here")
        return ""
    text = reader.source.text[key.start_mark.index : value.end_mark.index]
    first, *others = text.rstrip().splitlines() or [""]
    column = key.start_mark.column
    moved = "\n".join([first, *(line[min(column, len(line) - len(line.lstrip(" "))) :] for line in others)])
    return moved if _says(moved, key, value) else _by_value(key, value)


def _says(text: str, key: Any, value: Any) -> bool:
    """Whether a text is read as this one entry, on the left and farther to the right."""
    indented = "".join(f"  {line}\n" for line in text.split("\n"))
    for whole, depth in ((f"{text}\n", 0), (f"{TOP}:\n{indented}", 1)):
        try:
            node: Any = yaml.compose(whole, Loader=_LOADER)
        except yaml.YAMLError:
            return False
        for _ in range(depth):
            node = node.value[0][1]
        if not (isinstance(node, yaml.MappingNode) and len(node.value) == 1 and _same(node.value[0], (key, value))):
            return False
    return True


def _same(node: Any, other: Any) -> bool:
    """Whether two nodes, or pairs or lists of nodes, have the same types and values."""
    if isinstance(node, yaml.Node):
        return isinstance(other, yaml.Node) and node.tag == other.tag and _same(node.value, other.value)
    if isinstance(node, str) or isinstance(other, str):
        return bool(node == other)
    return len(node) == len(other) and all(_same(one, two) for one, two in zip(node, other, strict=True))


def _by_value(key: Any, value: Any) -> str:
    """An entry written anew, in lines of its own."""
    node = yaml.MappingNode("tag:yaml.org,2002:map", [(key, value)])
    text: str = yaml.serialize(_plain(node), Dumper=yaml.SafeDumper, allow_unicode=True, width=float("inf"))
    return text.rstrip("\n")


def _plain(node: Any) -> Any:
    """A node without braces, aliases and blocks of text, all keys text."""
    if isinstance(node, yaml.ScalarNode):
        return yaml.ScalarNode(node.tag, node.value, style='"' if node.style in ("|", ">") else node.style)
    if isinstance(node, yaml.SequenceNode):
        return yaml.SequenceNode(node.tag, [_plain(item) for item in node.value], flow_style=False)
    pairs = [(yaml.ScalarNode(_TEXT, key.value), _plain(item)) for key, item in node.value]
    return yaml.MappingNode(node.tag, pairs, flow_style=False)
