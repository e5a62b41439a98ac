#!/bin/sh
# Creates the secrets of compose.yml once; existing files stay. Keep a copy of secret-keys in a safe place: without this
# file all encrypted secrets are lost.
set -eu
cd "$(dirname "$0")"

# Only the owner can open the directory. Its files are readable, because each container reads them with another user id.
umask 022
mkdir -p secrets
chmod 0700 secrets
cd secrets

write() { [ -s "$1" ] || printf '%s\n' "$2" >"$1"; }
random() { od -An -v -tx1 -N24 /dev/urandom | tr -d ' \n'; }
# url <role> <file of its password>
url() { printf 'postgres://%s:%s@postgres:5432/landlord' "$1" "$(cat "$2")"; }

for name in postgres-password owner-password main-api-password supervisor-password redis-password; do
  write "$name" "$(random)"
done
write secret-keys "k1:$(head -c 32 /dev/urandom | base64 | tr -d '\n')"
write owner-database-url "$(url landlord_owner owner-password)"
write main-api-database-url "$(url landlord_main_api main-api-password)"
write supervisor-database-url "$(url landlord_supervisor supervisor-password)"
write queue-url "redis://:$(cat redis-password)@redis:6379"
