"""Runs programs for the races: a command a line as JSON, the answer its status, time, processor time and peak memory.

It is a small process of its own because the peak memory that the system counts for a program starts with that of the
process which calls it.
"""

from __future__ import annotations

import json
import os
import sys
import time


def main() -> None:
    null = os.open(os.devnull, os.O_WRONLY)
    actions = [(os.POSIX_SPAWN_DUP2, null, 1), (os.POSIX_SPAWN_DUP2, null, 2)]
    # as a user has it: Python may keep its compiled modules, and finds nothing but what is installed
    environment = {name: text for name, text in os.environ.items() if not name.startswith("PYTHON")}
    for line in sys.stdin:
        arguments = json.loads(line)
        start = time.perf_counter()
        pid = os.posix_spawn(arguments[0], arguments, environment, file_actions=actions)
        _, status, usage = os.wait4(pid, 0)
        seconds = time.perf_counter() - start
        unit = 1 if sys.platform == "darwin" else 1024
        processor = usage.ru_utime + usage.ru_stime
        answer = [os.waitstatus_to_exitcode(status), seconds, processor, usage.ru_maxrss * unit]
        print(json.dumps(answer), flush=True)  # noqa: T201 (the answer)


if __name__ == "__main__":
    main()
