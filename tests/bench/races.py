"""Races: one thing measured against others in turn, so that whatever else the machine does hits all of them alike."""

from __future__ import annotations

import json
import statistics
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Command:
    """A program that is run to its end; keeps the processor time (s) and peak memory (bytes) of each run."""

    arguments: tuple[str, ...]
    spawner: subprocess.Popen[str]
    seconds: list[float] = field(default_factory=list)
    memory: list[int] = field(default_factory=list)

    def __call__(self) -> None:
        self.spawner.stdin.write(json.dumps(self.arguments) + "\n")
        self.spawner.stdin.flush()
        status, _, processor, memory = json.loads(self.spawner.stdout.readline())
        assert status == 0, self.arguments
        self.seconds.append(processor)
        self.memory.append(memory)


@dataclass(frozen=True)
class Installed:
    """A virtual environment with the wheel, as users have it."""

    prefix: Path
    spawner: subprocess.Popen[str]

    def command(self, program: str, *arguments: object) -> Command:
        return Command((str(self.prefix / "bin" / program), *map(str, arguments)), self.spawner)


@dataclass(frozen=True)
class Rival:
    """What is raced against: its ratio may be at most ``most``; it does ``share`` of the work."""

    run: Callable[[], object]
    most: float | None = None
    share: float = 1.0


@dataclass
class Times:
    """Seconds of each round, on the clock and of the processor."""

    clock: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)

    def add(self, run: Callable[[], object], share: float = 1.0) -> None:
        """Run something and keep its times, of the whole work if this is a share of it."""
        clock, processor = time.perf_counter(), time.process_time()
        run()
        self.clock.append((time.perf_counter() - clock) / share)
        if isinstance(run, Command):
            self.processor.append(run.seconds[-1] / share)
        else:
            self.processor.append((time.process_time() - processor) / share)


def race(
    benchmark, subject: Callable[[], object], rivals: Mapping[str, Rival], *, rounds: int, what: str
) -> dict[str, float]:
    """Time a subject and its rivals in turn, note the ratios, and check those that have a bound.

    The ratio is that of the processor times, so that other work on the machine does not count; the ratio of the
    times on the clock is noted beside it.
    """
    times = {name: Times() for name in rivals}
    own = Times()

    def rivals_in_turn():
        for name, rival in rivals.items():
            times[name].add(rival.run, rival.share)

    benchmark.pedantic(lambda: own.add(subject), setup=rivals_in_turn, rounds=rounds, warmup_rounds=1)
    found, rows = {}, []
    for name, rival in rivals.items():
        processor = ratios(own.processor[-rounds:], times[name].processor[-rounds:])
        clock = ratios(own.clock[-rounds:], times[name].clock[-rounds:])
        found[name] = statistics.median(processor)
        rows.append(
            {
                "against": name,
                "ratio": found[name],
                "middle": quartiles(processor),
                "clock": statistics.median(clock),
                "most": rival.most,
            }
        )
    benchmark.extra_info.update(what=what, rows=rows)
    for name, rival in rivals.items():
        assert rival.most is None or found[name] <= rival.most, (name, found[name])
    return found


def ratios(own: list[float], theirs: list[float]) -> list[float]:
    """Ratio of each round: both sides of it were measured within seconds of each other."""
    return [ours / other for ours, other in zip(own, theirs, strict=True)]


def quartiles(values: list[float]) -> tuple[float, float]:
    """The middle half of some values; all of them if there are few."""
    if len(values) < 4:
        return min(values), max(values)
    low, _, high = statistics.quantiles(values, n=4)
    return low, high
