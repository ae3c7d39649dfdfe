"""URDF text as elements, their attributes as numbers; what is wrong is noted with its line."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from math import isfinite
from typing import cast

from lxml import etree

from mdh2urdf.bounds import LARGEST
from mdh2urdf.errors import Finding, Mdh2UrdfError

MAX_URDF_CHARACTERS = 40_000_000
"""Longest text that is parsed: 100,000 links and joints; nothing real comes near."""

BLANKS = " \t\r\n"
"""What XML takes for white space."""

LONGEST_QUOTE = 60
"""Characters of an attribute that an error repeats."""

XACRO_NAMESPACE = re.compile(r"https?://(www\.|wiki\.)?ros\.org/(wiki/)?xacro/?")
"""What files have as the namespace of xacro; the program itself goes by the prefix."""

XACRO_LEFTOVERS = frozenset({"arg", "property"})
"""Elements of xacro that change nothing where no expression uses them."""

XINCLUDE_NAMESPACE = "http://www.w3.org/2001/XInclude"

_PROLOG = re.compile(r"[\ufeff\s]+|<\?.*?\?>|<!--.*?-->", re.DOTALL)
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_PLACE = re.compile(r", line \d+, column \d+$")
_NOT_CLOSED = re.compile(r"Opening and ending tag mismatch: (\S+) line (\d+) and (\S+)$")
_TOO_SHORT = re.compile(r"Premature end of data in tag (\S+) line (\d+)$")


class Notes:
    """Problems and findings of one file, collected while it is read.

    Parameters
    ----------
    file : str
        Name of the input as the user gave it.
    """

    def __init__(self, file: str) -> None:
        self.file = file
        self._problems: list[Finding] = []
        self._findings: list[Finding] = []
        self._unread: dict[tuple[str, str], tuple[int, int]] = {}

    def problem(self, line: int, message: str, path: str = "") -> None:
        """Note what keeps the file from being read."""
        self._problems.append(Finding(file=self.file, line=line, path=path, message=message))

    def finding(self, line: int, rule: str, message: str, path: str = "") -> None:
        """Note a fault in spite of which the file is read."""
        self._findings.append(Finding(file=self.file, line=line, path=path, rule=rule, message=message))

    def unread(self, line: int, rule: str, what: str) -> None:
        """Note something that is not read; the same thing again is only counted."""
        first, count = self._unread.get((rule, what), (line, 0))
        self._unread[rule, what] = (first, count + 1)

    def findings(self) -> list[Finding]:
        """All findings, by line."""
        findings = list(self._findings)
        for (rule, what), (line, count) in self._unread.items():
            times = f" ({count} times)" if count > 1 else ""
            findings.append(Finding(file=self.file, line=line, rule=rule, message=f"{what} is not read{times}"))
        return sorted(findings, key=lambda finding: finding.line)

    def raise_problems(self) -> None:
        """Raise all problems, by line, if there are any."""
        if self._problems:
            raise Mdh2UrdfError(sorted(self._problems, key=lambda finding: finding.line))


@dataclass(frozen=True, slots=True)
class Part:
    """An element of the file with its path, as ``joint[elbow].limit``, and the notes that are taken of it."""

    element: etree._Element
    path: str
    notes: Notes

    @property
    def tag(self) -> str:
        """Name of the element."""
        return str(self.element.tag)

    @property
    def line(self) -> int:
        """Line of the element."""
        return line_of(self.element)

    def called(self, name: str | None) -> Part:
        """The same with a path that starts at its name, if it has one."""
        return Part(self.element, f"{self.tag}[{name}]", self.notes) if name else self

    def problem(self, message: str) -> None:
        """Note what keeps the file from being read."""
        self.notes.problem(self.line, message, self.path)

    def finding(self, rule: str, message: str) -> None:
        """Note a fault in spite of which the file is read."""
        self.notes.finding(self.line, rule, message, self.path)

    def has(self, attribute: str) -> bool:
        """Whether an attribute is there."""
        return attribute in self.element.attrib

    def get(self, attribute: str) -> str:
        """An attribute as it stands, empty if it is not there."""
        return self.element.get(attribute, "")

    def only(self, *known: str) -> None:
        """Note attributes with other names as not read; those of other namespaces are skipped."""
        for name in self.element.attrib:
            if name not in known and not str(name).startswith("{"):
                self.notes.unread(self.line, "unknown-attribute", f"attribute {name!r} of <{self.tag}>")

    def name(self, attribute: str) -> str | None:
        """An attribute that must be there and not be empty; else a problem is noted."""
        value = self.element.get(attribute)
        if not value:
            self.problem(f"<{self.tag}> has {'no' if value is None else 'an empty'} attribute {attribute!r}")
            return None
        return value

    def number(
        self, attribute: str, *, required: bool = False, negative: bool = True, unit: str | None = None
    ) -> float | None:
        """An attribute of one number, by the rules of `numbers`."""
        values = self.numbers(attribute, 1, required=required, negative=negative, unit=unit)
        return values[0] if values else None

    def numbers(
        self, attribute: str, count: int, *, required: bool = False, negative: bool = True, unit: str | None = None
    ) -> tuple[float, ...] | None:
        """An attribute of so many numbers; None if it is not there or, with a problem noted, wrong.

        Parameters
        ----------
        attribute : str
        count : int
        required : bool
            Whether it is a problem if the attribute is not there.
        negative : bool
            Whether numbers below 0 are allowed.
        unit : str, optional
            Of numbers that must not be beyond `LARGEST`: lengths, masses, moments, and factors (empty).
        """
        text = self.element.get(attribute)
        if text is None:
            if required:
                self.problem(f"<{self.tag}> has no attribute {attribute!r}")
            return None
        return self._parsed(attribute, text, count, negative=negative, unit=unit)

    def content(self, count: int, *, negative: bool = True, unit: str | None = None) -> tuple[float, ...] | None:
        """The numbers between the tags of an element, by the rules of `numbers`; None if they are wrong."""
        return self._parsed(f"<{self.tag}>", self.element.text or "", count, negative=negative, unit=unit)

    def _parsed(
        self, name: str, text: str, count: int, *, negative: bool, unit: str | None
    ) -> tuple[float, ...] | None:
        parts = text.split()
        wrong = [part for part in parts if not _NUMBER.fullmatch(part) or not isfinite(float(part))]
        if wrong:
            hint = "; decimals have a point, and between numbers there is a blank" if "," in wrong[0] else ""
            self.problem(f"{name} {_quoted(text)}: {_quoted(wrong[0])} is not a finite number{hint}")
        elif len(parts) != count:
            self.problem(f"{name} {_quoted(text)}: wanted {count} number{'s' * (count > 1)}, found {len(parts)}")
        else:
            values = tuple([float(part) + 0.0 for part in parts])
            if unit is not None and max(map(abs, values)) > LARGEST:
                self.problem(f"{name} {_quoted(text)}: is beyond {f'{LARGEST:.0e} {unit}'.rstrip()}")
            elif negative or min(values) >= 0.0:
                return values
            else:
                self.problem(f"{name} {_quoted(text)}: must not be negative")
        return None

    def parts(self, known: Collection[str]) -> Iterator[Part]:
        """Child elements with known names; others, and text between them, are noted as not read.

        Elements of other namespaces are other programs' business and skipped, but not those of
        XInclude, which stand for something that is missing here.
        """
        _note_text(self.element.text, self)
        for element in self.element:
            tag = str(element.tag)
            part = Part(element, f"{self.path}.{tag}", self.notes)
            if tag in known:
                yield part
            elif tag in ("link", "joint"):
                self.notes.problem(part.line, f"<{tag}> stands in <{self.tag}>; it belongs directly in <robot>")
            elif not tag.startswith("{"):
                self.notes.unread(part.line, "unknown-element", f"<{tag}> in <{self.tag}>")
            elif tag.startswith(f"{{{XINCLUDE_NAMESPACE}}}"):
                self.notes.unread(part.line, "unknown-element", f"XInclude in <{self.tag}>")
            _note_text(element.tail, self)

    def single(self, *known: str) -> dict[str, Part]:
        """As `parts`, for elements that may stand here once; of two the first is read, as everywhere."""
        found: dict[str, Part] = {}
        for part in self.parts(known):
            first = found.setdefault(part.tag, part)
            if first is not part:
                part.second(first)
        return found

    def second(self, first: Part) -> None:
        """Note that this element is one too many."""
        self.finding("second-element", f"a second <{self.tag}> is not read; the first is in line {first.line}")


def line_of(element: etree._Element) -> int:
    """Line in which the start tag of a parsed element ends."""
    return cast(int, element.sourceline)


def _quoted(text: str) -> str:
    """Text in quotes, cut where an error line would get long."""
    return repr(text) if len(text) <= LONGEST_QUOTE else f"{text[:LONGEST_QUOTE]!r}..."


def _note_text(text: str | None, part: Part) -> None:
    if text and not text.isspace():
        part.notes.unread(part.line, "stray-text", f"text in <{part.tag}>")


def parse_xml(text: str, file: str) -> etree._Element:
    """Root element of a text, without comments; entities, external files and repair are off.

    Raises
    ------
    Mdh2UrdfError
        If the text is empty or too long, has a document type, is not well-formed, or is xacro yet to be expanded.
    """
    if len(text) > MAX_URDF_CHARACTERS:
        message = f"is longer than {MAX_URDF_CHARACTERS // 1_000_000} million characters"
        raise Mdh2UrdfError(Finding(file=file, message=message))
    if not text.strip():
        raise Mdh2UrdfError(Finding(file=file, message="is empty"))
    start = end_of_prolog(text)
    if text.startswith("<!DOCTYPE", start):
        line = text.count("\n", 0, start) + 1
        message = "a document type (<!DOCTYPE ...>) is not read: entities and other files have no place in a URDF"
        raise Mdh2UrdfError(Finding(file=file, line=line, message=message))
    parser = etree.XMLParser(
        encoding="utf-8",
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        recover=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = etree.fromstring(text.encode("utf-8", "surrogatepass"), parser)
    except etree.XMLSyntaxError as error:
        line, column = error.position
        raise Mdh2UrdfError(Finding(file=file, line=line, column=column, message=_in_words(error.msg))) from error
    if "xacro" in text:
        _refuse_xacro(root, file, expressions="${" in text or "$(" in text)
    _drop_default_namespace(root)
    return root


def parse_root(text: str, file: str, tag: str, notes: Notes) -> Part:
    """The root element of another format, as `parse_xml` reads it.

    Raises
    ------
    Mdh2UrdfError
        With the errors of `parse_xml`, or if the root has another name.
    """
    root = Part(parse_xml(text, file), tag, notes)
    if root.tag != tag:
        message = f"the root element is <{root.tag}>, not <{tag}>"
        raise Mdh2UrdfError(Finding(file=file, line=root.line, message=message))
    return root


_TO_RUN_IT = "if you trust its author, have it run: name the file *.xacro or say --from xacro"


def _refuse_xacro(root: etree._Element, file: str, *, expressions: bool) -> None:
    """Raise if elements of xacro are still to be expanded."""
    for element in root.iter(etree.Element):
        name = etree.QName(element)
        xacro = name.namespace is not None and XACRO_NAMESPACE.fullmatch(name.namespace)
        if xacro and (expressions or name.localname not in XACRO_LEFTOVERS):
            message = f"<xacro:{name.localname}>: this is xacro, a program; {_TO_RUN_IT}"
            raise Mdh2UrdfError(Finding(file=file, line=line_of(element), message=message))


def end_of_prolog(text: str) -> int:
    """Where the declaration, comments and blanks before the first element end."""
    position = 0
    while match := _PROLOG.match(text, position):
        position = match.end()
    return position


def _in_words(message: str) -> str:
    """The parser's message; the two frequent ones in words that name the element."""
    message = _PLACE.sub("", message.strip())
    if found := _NOT_CLOSED.match(message):
        opened, line, closed = found.groups()
        return f"</{closed}> comes where </{opened}> should: <{opened}> of line {line} is not closed"
    if found := _TOO_SHORT.match(message):
        return f"the text ends inside <{found[1]}> of line {found[2]}"
    return f"is not well-formed XML: {message}"


def _drop_default_namespace(root: etree._Element) -> None:
    """Take away ``xmlns="..."``, which some files have and URDF's readers do not see."""
    namespace = root.nsmap.get(None)
    if namespace:
        for element in root.iter(f"{{{namespace}}}*"):
            element.tag = etree.QName(element).localname
