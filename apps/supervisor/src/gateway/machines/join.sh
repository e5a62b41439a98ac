#!/bin/sh
# Makes this host a machine of a Landlord installation. Reads the join token from standard input.
set -eu
echo 'This release of Landlord has no machine agent.' >&2
exit 1
