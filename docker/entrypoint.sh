#!/bin/sh
# Runs the part of Landlord that the first argument names. Runs any other command unchanged.
set -eu

# The apps read NAME_FILE themselves. The launcher takes values, so this function reads the files.
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
  landlord)
    shift
    from_file DATABASE_URL
    exec node dist/libs/launcher/src/main.js "$@"
    ;;
  *)
    exec "$@"
    ;;
esac
