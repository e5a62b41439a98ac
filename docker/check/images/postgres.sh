#!/bin/sh
# What the official image of PostgreSQL does at its start, for the settings that compose.yml uses.
set -eu
umask 077

if [ "$(id -u)" = 0 ]; then
  install -d -o postgres -g postgres "$PGDATA" /run/postgresql
  exec setpriv --reuid=postgres --regid=postgres --clear-groups sh "$0" "$@"
fi
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  # shellcheck disable=SC2086 # several arguments
  initdb --pgdata="$PGDATA" --username="$POSTGRES_USER" --pwfile="$POSTGRES_PASSWORD_FILE" $POSTGRES_INITDB_ARGS
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  # Only on the socket: nobody may see the database before the scripts have ended.
  pg_ctl --wait --options="-c listen_addresses=''" start
  for script in /docker-entrypoint-initdb.d/*.sh; do sh "$script"; done
  pg_ctl --wait --mode=fast stop
fi
exec "$@" -c listen_addresses='*'
