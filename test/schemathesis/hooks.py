"""Adds what Schemathesis cannot find in the API description: ids of existing resources, and the session for some routes."""

import json
import os
import random

import schemathesis

with open(os.environ["LANDLORD_PLACES"], encoding="utf-8") as file:
    PLACES = json.load(file)

# One of ten requests keeps the generated ids, to test unknown ids, too. Small ids are never kept: one of them is the id of
# the API key of the run.
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
    # Requests with the same generated key would replay the answer to the first one, so a valid key is removed. An invalid key
    # stays invalid: without it the request would be valid, and Schemathesis would report an accepted invalid request.
    key = (headers or {}).get("idempotency-key")
    if key is not None and is_key(key):
        headers.pop("idempotency-key")
    elif key is not None:
        headers["idempotency-key"] = "x" * (LONGEST_KEY + 1)
    return headers


@schemathesis.hook
def before_call(context, case, kwargs):
    # In every phase: the boundaries of an integer are ids, too.
    known = PLACES["ids"].get(f"{case.operation.method.upper()} {case.operation.path}", {})
    for name, value in (case.path_parameters or {}).items():
        if name in known and not is_kept(value):
            case.path_parameters[name] = known[name]
    # A request that waits for an operation takes up to `wait` seconds.
    if "wait" in (case.query or {}):
        case.query["wait"] = 0 if str(case.query["wait"]).isdigit() else case.query["wait"]
    # A route for sessions only refuses the key of the run.
    schemes = [name for scheme in case.operation.definition.raw.get("security", []) for name in scheme]
    sent = kwargs.get("headers") or {}
    if schemes == ["session_cookie"] and "ld-api-key" in sent:
        kwargs["headers"] = {name: value for name, value in sent.items() if name != "ld-api-key"} | PLACES["session"]
