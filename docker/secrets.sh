#!/bin/sh
# The service `secrets` of the Compose files. Creates the secrets once in `all`; existing ones stay. Gives each service the files that it
# reads, in a volume of its own. Keep a copy of all/secret-keys in a safe place: without this file all encrypted secrets are lost.
set -eu
cd "${1:-/secrets}"

# Each container reads its files with another user id, and only it mounts their volume.
umask 022

write() { [ -s "all/$1" ] || printf '%s\n' "$2" >"all/$1"; }
random() { od -An -v -tx1 -N24 /dev/urandom | tr -d ' \n'; }
# url <role> <file of its password>
url() { printf 'postgres://%s:%s@postgres:5432/landlord' "$1" "$(cat "all/$2")"; }
# give <service> <file> …
give() {
  service=$1
  shift
  for file in "$@"; do cp "all/$file" "$service/$file"; done
}

for name in postgres-password owner-password main-api-password supervisor-password redis-password; do
  write "$name" "$(random)"
done
write secret-keys "k1:$(head -c 32 /dev/urandom | base64 | tr -d '\n')"
write owner-database-url "$(url landlord_owner owner-password)"
write main-api-database-url "$(url landlord_main_api main-api-password)"
write supervisor-database-url "$(url landlord_supervisor supervisor-password)"
write queue-url "redis://:$(cat all/redis-password)@redis:6379"

give postgres postgres-password owner-password main-api-password supervisor-password
cp "$(dirname "$0")/postgres-init.sh" postgres/init.sh
give redis redis-password
give migrate secret-keys owner-database-url queue-url
give main-api secret-keys main-api-database-url queue-url
give supervisor secret-keys supervisor-database-url queue-url
