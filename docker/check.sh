#!/bin/sh
# Where there is no Docker: replays the Dockerfile in a temporary directory, then lives the life of compose.yml with the
# result: secrets, database roles, migration, both apps as their own roles, health checks.
set -eu
cd "$(dirname "$0")/.."
exec node docker/check/check.mjs
