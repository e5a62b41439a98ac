#!/bin/sh
# Makes the image, and runs the services of compose.yml and regions.yml with podman: health, first key, a deployment and a
# message in each region, killed and restarted parts. As root. Needs no registry of images. Exit code 3: containers cannot run
# here; the message contains the reason.
set -eu
cd "$(dirname "$0")/.."
exec node docker/check/check.mjs
