#!/bin/sh
# Runs the part of Landlord that the first argument names. Runs any other command unchanged.
set -eu

launcher=/app/dist/libs/launcher/src/main.js

# The apps read NAME_FILE themselves. The launcher takes values, so this function reads the files.
from_file() {
  eval "file=\${$1_FILE:-}"
  if [ -n "$file" ]; then
    export "$1=$(cat "$file")"
    unset "$1_FILE"
  fi
}

# Everything in one container, with a database of its own. Its ports are published under the same numbers.
all_in_one() {
  : "${LANDLORD_HOST:=}" "${MAIN_API_HOST:=0.0.0.0}" "${SUPERVISOR_HOST:=0.0.0.0}" "${LOCAL_BIND_ADDRESS:=0.0.0.0}"
  : "${LOCAL_PORT_RANGE:=20000-20050}" "${LANDLORD_COMMAND:=${container:-docker} exec $(cat /etc/hostname) landlord}"
  export MAIN_API_HOST SUPERVISOR_HOST LOCAL_BIND_ADDRESS LOCAL_PORT_RANGE LANDLORD_COMMAND
  case "$LANDLORD_HOST" in
    '' | localhost | 127.*)
      export LOCAL_PUBLIC_ADDRESS="${LOCAL_PUBLIC_ADDRESS:-127.0.0.1}" MAIN_API_ON_LOOPBACK_OF_HOST="${MAIN_API_ON_LOOPBACK_OF_HOST:-true}"
      ;;
  esac
}

# The root file system can be read-only.
if [ -w "$LANDLORD_DATA_DIR" ] && [ -z "${TMPDIR:-}" ]; then
  export TMPDIR="$LANDLORD_DATA_DIR/tmp"
  mkdir -p "$TMPDIR"
fi

# A command in the container of `start` has the settings of the first process.
case "${1:-} $(tr '\0' ' ' </proc/1/cmdline)" in
  'start '* | *' start ') all_in_one ;;
esac

case "${1:-}" in
  start)
    node /app/bin/require-memory.mjs
    exec node "$launcher" start
    ;;
  main-api | supervisor)
    exec node "/app/dist/apps/$1/src/main.js"
    ;;
  migrate)
    from_file DATABASE_URL
    from_file BOOTSTRAP_API_KEY
    if [ -z "${DATABASE_URL:-}" ]; then
      echo 'migrate needs DATABASE_URL or DATABASE_URL_FILE. Only `start` runs a database of its own.' >&2
      exit 1
    fi
    exec node "$launcher" migrate
    ;;
  secrets)
    exec sh /app/docker/secrets.sh "${2:-/secrets}"
    ;;
  landlord)
    shift
    from_file DATABASE_URL
    exec node "$launcher" "$@"
    ;;
  *)
    exec "$@"
    ;;
esac
