"""A whole engine: it claims the domino with the most crowns and builds close to its castle."""

import json
import re
import sys

# The two ends of dominoes 1 to 48, like ["w", "m3"]: wheat, and a mine with three crowns.
dominoes: list[list[str]] = []


def worth(action: str) -> tuple[int, int]:
    """Rate an action: ``claim 17`` by crowns, then number; ``place 1,0>2,0`` by nearness."""
    numbers = [int(number) for number in re.findall(r"-?\d+", action)]
    if action.startswith("claim"):
        return sum(int(end[1:] or 0) for end in dominoes[numbers[0] - 1]), numbers[0]
    return -sum(map(abs, numbers)), 0


for line in sys.stdin:
    asked = {}
    try:
        asked = dict(json.loads(line))
        if asked["kind"] == "hello":
            said = {"kind": "hello", "version": 1, "name": "crowns first"}
        elif asked["kind"] == "game":
            dominoes = asked["dominoes"]
            said = {"kind": "ready"}
        elif asked["kind"] == "choose":
            said = {"kind": "action", "action": max(asked["actions"], key=worth)}
        elif asked["kind"] == "quit":
            break
        else:  # also "stop": the engine has already answered by then
            continue
    except Exception as error:
        said = {"kind": "error", "message": str(error)}
    print(json.dumps({"id": asked.get("id"), **said}), flush=True)
