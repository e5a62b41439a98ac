#!/bin/sh
# Runs one part of Landlord, named by the first argument. Anything else is run as it is.
set -eu

# The apps read NAME_FILE themselves; what the launcher takes by value is read here.
from_file() {
  eval "file=\${$1_FILE:-}"
  if [ -n "$file" ]; then
    export "$1=$(cat "$file")"
    unset "$1_FILE"
  fi
}

case "${1:-}" in
  main-api | supervisor)
    exec node "dist/apps/$1/src/main.js"
    ;;
  migrate)
    from_file DATABASE_URL
    from_file BOOTSTRAP_API_KEY
    if [ -z "${DATABASE_URL:-}" ]; then
      echo 'migrate needs DATABASE_URL or DATABASE_URL_FILE: this image holds no database of its own.' >&2
      exit 1
    fi
    exec node dist/libs/launcher/src/main.js migrate
    ;;
  *)
    exec "$@"
    ;;
esac
