"""YAML as nodes that know their place, from a parser's events.

PyYAML's own composer and constructors are not used: they lose the places, follow aliases without bound,
recurse, take the second of two equal keys, and need more than twice as long.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from math import isfinite
from typing import Any

import yaml
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from mdh2urdf.errors import Finding, Mdh2UrdfError

MAX_DEPTH = 32
"""Levels of nesting; a table needs 7."""

MAX_ALIASED = 200_000
"""Nodes that all aliases of a file may stand for: 20,000 rows that share their limits."""

Path = tuple[str | int, ...]
"""Way from the top of a file to a node: ``("joints", 2, "alpha")``."""


# Nodes are the bulk of a large file; they are not frozen because that makes them four times slower to create.
@dataclass(slots=True)
class Scalar:
    """Text at an offset of the file; ``plain`` if it has no quotes."""

    text: str
    index: int
    tag: str = ""
    plain: bool = True


@dataclass(slots=True)
class Fields:
    """A mapping: nodes by key, and the offset of each key (``pending``: the key whose value is being read)."""

    index: int
    items: dict[str, Node] = field(default_factory=dict)
    keys: dict[str, int] = field(default_factory=dict)
    pending: str | None = None


@dataclass(slots=True)
class Items:
    """A list of nodes."""

    index: int
    items: list[Node] = field(default_factory=list)


Node = Scalar | Fields | Items

REPORTED: Node = Scalar("", -1)
"""Stands where a node was reported as wrong."""


@dataclass(frozen=True, slots=True)
class SourceText:
    """A file's name and text, which turn an offset into a place."""

    file: str
    text: str

    def finding(self, index: int, path: Path, message: str, rule: str = "") -> Finding:
        """What is said of the node at an offset; a negative offset is no place."""
        line, column = self.place(index)
        return Finding(message=message, rule=rule, file=self.file, line=line, column=column, path=path_text(path))

    def place(self, index: int) -> tuple[int, int]:
        """Line and column of an offset, counted from 1; (0, 0) if it is negative."""
        if index < 0:
            return 0, 0
        starts = _line_starts(self.text)
        line = bisect_right(starts, index)
        return line, index - starts[line - 1] + 1


@lru_cache(maxsize=1)
def _line_starts(text: str) -> list[int]:
    """Offsets at which lines begin; counted once for all findings of a file."""
    return [0, *(match.end() for match in re.finditer("\n", text))]


_WORD = re.compile(r"[\w-]{1,60}")


def path_text(path: Path) -> str:
    """A path as messages show it: ``joints[2].alpha``, ``links["my link"].mass``."""
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        elif _WORD.fullmatch(step):
            text += f".{step}" if text else step
        else:
            text += f"[{_quoted(step[:60])}]"
    return text


def _quoted(text: str) -> str:
    from json import dumps

    return dumps(text, ensure_ascii=False)


def find(root: Node, path: Path) -> Node:
    """The node at a path, or the last one on the way to it."""
    for step in path:
        if isinstance(root, Fields) and step in root.items:
            root = root.items[str(step)]
        elif isinstance(root, Items) and isinstance(step, int) and step < len(root.items):
            root = root.items[step]
        else:
            break
    return root


def is_empty(node: Node) -> bool:
    """Whether a node is YAML's null: nothing at all, ``~`` or ``null``."""
    return type(node) is Scalar and node.plain and node.text in ("", "~", "null", "Null", "NULL")


_INTEGER = re.compile(r"[-+]?\d{1,15}", re.ASCII)
_FLOAT = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?", re.ASCII)
_WORDS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}


def plain_data(node: Node) -> object:
    """A node as dicts, lists, text, numbers, booleans and None (the core schema of YAML 1.2; dates stay text)."""
    if isinstance(node, Fields):
        return {key: plain_data(value) for key, value in node.items.items()}
    if isinstance(node, Items):
        return [plain_data(value) for value in node.items]
    return None if is_empty(node) else _plain_scalar(node)


def _plain_scalar(node: Scalar) -> object:
    if not node.plain:
        return node.text
    if _INTEGER.fullmatch(node.text):
        return int(node.text)
    if _FLOAT.fullmatch(node.text) and isfinite(float(node.text)):
        return float(node.text)
    return _WORDS.get(node.text, node.text)


def unreadable(text: str) -> bool:
    """Whether a text holds a character that YAML does not allow."""
    return yaml.reader.Reader.NON_PRINTABLE.search(text) is not None


def compose(source: SourceText, problems: list[Finding], tags: Iterable[str] = ()) -> Node:
    """The top node of a file that holds one YAML document.

    Aliases stand for the very node that they name; merge keys (``<<``) are merged.

    Parameters
    ----------
    source : SourceText
    problems : list of Finding
        Equal keys, unknown tags and wrong merges are added to it.
    tags : iterable of str
        Tags that a scalar may carry.

    Raises
    ------
    Mdh2UrdfError
        If the text is no YAML, is empty, holds several documents, is nested too deep, or its aliases
        stand for too much.
    """
    composer = _Composer(source, problems, frozenset(tags))
    try:
        return composer.run()
    except UnicodeEncodeError as error:
        raise composer.stop(error.start, "is not UTF-8 text") from error
    except yaml.reader.ReaderError as error:
        wrong = yaml.reader.Reader.NON_PRINTABLE.search(source.text)
        raise composer.stop(wrong.start() if wrong else -1, "holds a character that YAML does not allow") from error
    except yaml.MarkedYAMLError as error:
        index = -1 if error.problem_mark is None else error.problem_mark.index
        reason = ", ".join(part for part in (error.context, error.problem) if part)
        tab = " (a tab; YAML is indented with blanks)" if source.text[index : index + 1] == "\t" else ""
        raise composer.stop(index, f"is not valid YAML: {reason}{tab}") from error


class _Composer:
    """Nodes under construction: ``stack`` holds the open mappings and lists, outermost first."""

    def __init__(self, source: SourceText, problems: list[Finding], tags: frozenset[str]) -> None:
        self.source = source
        self.problems = problems
        self.tags = tags
        self.top = Items(0)
        self.stack: list[Fields | Items] = [self.top]
        self.anchors: dict[str, Node] = {}
        self.open_anchors: list[str | None] = []
        self.aliased = 0

    def run(self) -> Node:
        loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)(self.source.text)
        next_event = loader.get_event
        documents = 0
        while (event := next_event()) is not None:
            kind = type(event)
            if kind is ScalarEvent:
                self._scalar(event)
            elif kind is MappingStartEvent:
                self._open(event, Fields(event.start_mark.index))
            elif kind is SequenceStartEvent:
                self._open(event, Items(event.start_mark.index))
            elif kind is MappingEndEvent or kind is SequenceEndEvent:
                self._close()
            elif kind is AliasEvent:
                self._alias(event)
            elif kind is DocumentStartEvent:
                documents += 1
                if documents > 1:
                    raise self.stop(event.start_mark.index, "holds a second document; a file describes one thing")
        if not self.top.items or is_empty(self.top.items[0]):
            raise self.stop(-1, "is empty")
        return self.top.items[0]

    def stop(self, index: int, message: str) -> Mdh2UrdfError:
        """The error that ends reading, with everything that was found before it."""
        return Mdh2UrdfError([*self.problems, self.source.finding(index, self._path(), message)])

    def _path(self) -> Path:
        """Way to the node that is being read."""
        last = self.stack[-1]
        steps = (
            node.pending if isinstance(node, Fields) else len(node.items) - (node is not last)
            for node in self.stack[1:]
        )
        return tuple(step for step in steps if step is not None)

    def _problem(self, index: int, message: str) -> None:
        self.problems.append(self.source.finding(index, self._path(), message))

    def _scalar(self, event: Any) -> None:
        parent = self.stack[-1]
        text = event.value
        index = event.start_mark.index
        if type(parent) is Fields and parent.pending is None:
            if event.tag is not None:
                raise self.stop(index, "a field name is plain text without a tag")
            parent.pending = text
            if text in parent.keys:
                self._problem(index, "is given twice")
            parent.keys[text] = index
            return
        node = Scalar(text, index, "" if event.tag is None else self._tag(event), not event.style)
        if event.anchor is not None:
            self.anchors[event.anchor] = node
        self._attach(node)
        self._complete()

    def _tag(self, event: Any) -> str:
        """The tag of a node if it may carry one; else it is reported and left out."""
        tag: str = event.tag
        if type(event) is ScalarEvent and tag in self.tags:
            return tag
        allowed = f"; allowed are {' and '.join(sorted(self.tags))} before a number" if self.tags else ""
        shown = tag.replace("tag:yaml.org,2002:", "!!", 1)
        self._problem(event.start_mark.index, f"tag {shown} is not allowed{allowed}")
        return ""

    def _open(self, event: Any, node: Fields | Items) -> None:
        self._no_key(event)
        if len(self.stack) > MAX_DEPTH:
            raise self.stop(node.index, f"is nested deeper than {MAX_DEPTH} levels")
        if event.tag is not None:
            self._tag(event)
        self._attach(node)
        self.open_anchors.append(event.anchor)
        self.stack.append(node)

    def _attach(self, node: Node) -> None:
        """Put a node where the next value belongs; its key stays pending until it is complete."""
        parent = self.stack[-1]
        if isinstance(parent, Items):
            parent.items.append(node)
        else:
            parent.items[parent.pending or ""] = node

    def _complete(self) -> None:
        """The value that was attached last is complete; a mapping goes on with its next key."""
        parent = self.stack[-1]
        if isinstance(parent, Fields):
            parent.pending = None

    def _close(self) -> None:
        node = self.stack[-1]
        if isinstance(node, Fields) and self._merges(node):
            self._merge(node)
        self.stack.pop()
        self._complete()
        anchor = self.open_anchors.pop()
        if anchor is not None:
            self.anchors[anchor] = node

    def _no_key(self, event: Any) -> None:
        parent = self.stack[-1]
        if isinstance(parent, Fields) and parent.pending is None:
            raise self.stop(event.start_mark.index, "a field name is plain text, no list, mapping or alias")

    def _alias(self, event: Any) -> None:
        self._no_key(event)
        node = self.anchors.get(event.anchor)
        index = event.start_mark.index
        if node is None:
            raise self.stop(index, f"alias *{event.anchor} stands before or inside what &{event.anchor} names")
        size, depth = _extent(node)
        self.aliased += size
        if self.aliased > MAX_ALIASED:
            raise self.stop(index, f"its aliases stand for more than {MAX_ALIASED} values")
        if len(self.stack) + depth > MAX_DEPTH + 1:
            raise self.stop(index, f"is nested deeper than {MAX_DEPTH} levels")
        self._attach(node)
        self._complete()

    def _merges(self, node: Fields) -> bool:
        """Whether a mapping has a merge key; between quotes ``<<`` is a name."""
        return "<<" in node.items and self.source.text.startswith("<<", node.keys["<<"])

    def _merge(self, node: Fields) -> None:
        """Fields of the mappings behind ``<<`` that a mapping does not have itself; of two, the first counts."""
        merged = node.items.pop("<<")
        index = node.keys.pop("<<")
        for other in merged.items if isinstance(merged, Items) else [merged]:
            if not isinstance(other, Fields):
                self._problem(index, "<< merges mappings only")
                continue
            for key, value in other.items.items():
                node.items.setdefault(key, value)
                node.keys.setdefault(key, other.keys[key])


def _extent(node: Node) -> tuple[int, int]:
    """Number of nodes at and below a node, and levels of mappings and lists."""
    if isinstance(node, Scalar):
        return 1, 0
    below = [_extent(child) for child in (node.items.values() if isinstance(node, Fields) else node.items)]
    return 1 + sum(size for size, _ in below), 1 + max((depth for _, depth in below), default=0)
