"""What Schemathesis cannot know of the API: ids of things that exist, and the session of routes that take no key."""

import json
import os
import random

import schemathesis

with open(os.environ["LANDLORD_PLACES"], encoding="utf-8") as file:
    PLACES = json.load(file)

# Of ten requests one keeps the ids that were made up: unknown ids are tried, too. Small ids are never kept: one of them is
# the key of the run.
KEPT = 0.1
SMALL = 100_000
LONGEST_KEY = 255


def is_kept(value):
    is_small = str(value).isdigit() and int(value) < SMALL
    return not is_small and random.random() < KEPT


def is_key(value):
    return isinstance(value, str) and 0 < len(value) <= LONGEST_KEY and value.isascii() and value.isprintable()


@schemathesis.hook
def map_headers(context, headers):
    # One made-up key would answer every request of the run from the first one. A key that breaks the schema stays one: without
    # it the request would be good, and count as one that breaks the schema and is accepted.
    key = (headers or {}).get("idempotency-key")
    if key is not None and is_key(key):
        headers.pop("idempotency-key")
    elif key is not None:
        headers["idempotency-key"] = "x" * (LONGEST_KEY + 1)
    return headers


@schemathesis.hook
def before_call(context, case, kwargs):
    # In every phase: also the boundaries of an integer are ids.
    known = PLACES["ids"].get(f"{case.operation.method.upper()} {case.operation.path}", {})
    for name, value in (case.path_parameters or {}).items():
        if name in known and not is_kept(value):
            case.path_parameters[name] = known[name]
    # Waiting for an operation takes as long as it is asked to.
    if "wait" in (case.query or {}):
        case.query["wait"] = 0 if str(case.query["wait"]).isdigit() else case.query["wait"]
    # A route of sessions alone refuses the key that the run sends.
    schemes = [name for scheme in case.operation.definition.raw.get("security", []) for name in scheme]
    sent = kwargs.get("headers") or {}
    if schemes == ["session_cookie"] and "ld-api-key" in sent:
        kwargs["headers"] = {name: value for name, value in sent.items() if name != "ld-api-key"} | PLACES["session"]
