#!/bin/sh
# A check without Docker: replays the Dockerfile in a temporary directory, then runs the services of compose.yml with the
# result: secrets, database roles, migration, both apps with their own roles, health checks.
set -eu
cd "$(dirname "$0")/.."
exec node docker/check/check.mjs
