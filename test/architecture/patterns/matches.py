"""Reads {"patterns": [...], "texts": [...]} and writes, for each pattern, the texts that it matches in Python."""

import json
import re
import sys


def matches(pattern, texts):
    """Returns the error of a pattern that does not compile."""
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        return str(error)
    return [text for text in texts if compiled.search(text)]


question = json.load(sys.stdin)
json.dump([matches(pattern, question["texts"]) for pattern in question["patterns"]], sys.stdout)
