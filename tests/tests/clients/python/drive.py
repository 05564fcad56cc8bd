"""Drives two agents through the Python SDK, the example `coder` and `departing`: `drive.py CODER DEPARTING SCRATCH`.

Prints `checks N`, then one line a check: `ok NAME` or `not ok NAME: why`. Each check has an agent process of its own, and
ends by closing its stdin. An agent without a name is not driven.
"""

import asyncio
import inspect
import logging
import sys
import tempfile
from pathlib import Path

import departures
import options
import sessions
import turns
from agent import TRANSPORT

# The time limit of one check, in seconds.
LIMIT = 20.0

# Over event streams, the SDK opens the stream of a session only when the answer to `session/new` or another message has named it. It reads
# nothing of a session that it loads or resumes, or that is not there.
NEVER_OPENED = {
    "a_loaded_session_goes_on",
    "a_loaded_session_replays_before_it_answers",
    "a_resumed_session_replays_nothing",
    "an_unknown_session_is_an_error",
}
# Over HTTP/2, httpcore lets the streams of a connection read in turn: one that has something to read waits for the others, until they have,
# too. So only a check whose agent talks on ends in time.
TALKS_ON = {"a_turn_streams_a_thought_a_plan_and_an_answer"}


def runs(name):
    return {"http": name not in NEVER_OPENED, "http2": name in TALKS_ON}.get(TRANSPORT, True)


def checks(*topics):
    for topic in topics:
        for name, check in inspect.getmembers(topic, inspect.iscoroutinefunction):
            if check.__module__ == topic.__name__ and not name.startswith("_") and runs(name):
                yield name, check


async def main(coder, departing, scratch):
    logging.getLogger().addHandler(logging.NullHandler())
    found = [(*check, coder) for check in checks(options, turns, sessions) if coder]
    found += [(*check, departing) for check in checks(departures) if departing]
    print(f"checks {len(found)}", flush=True)
    for name, check, command in found:
        folder = Path(tempfile.mkdtemp(prefix="check-", dir=scratch))
        try:
            await asyncio.wait_for(check(command, folder), LIMIT)
            print(f"ok {name}", flush=True)
        except Exception as error:
            why = " ".join(f"{type(error).__name__}: {error}".split())
            print(f"not ok {name}: {why}", flush=True)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit("usage: drive.py CODER DEPARTING SCRATCH")
    asyncio.run(main(*sys.argv[1:]))
