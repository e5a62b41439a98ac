#!/bin/sh
# Creates the certificate of the gateways of regions.yml and the authority that signs it, once; existing files stay. To
# renew them, delete gateway-cert, run this script again and create the containers again.
set -eu
cd "$(dirname "$0")"

# Only the owner can open the folder. Its files are readable, because each container reads them with another user id.
umask 022
mkdir -p secrets
chmod 0700 secrets
cd secrets
[ -s gateway-cert ] && exit 0

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
new() { openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes "$@" 2>"$work/log" || { cat "$work/log" >&2; exit 1; }; }

# The key of the authority is deleted: it signs one certificate.
new -x509 -days 3650 -subj '/CN=Landlord gateways' -keyout "$work/ca-key" -out agent-ca
new -subj '/CN=gateway' -keyout gateway-key -out "$work/request"
printf 'subjectAltName=DNS:gateway-us,DNS:gateway-eu' >"$work/names"
openssl x509 -req -in "$work/request" -CA agent-ca -CAkey "$work/ca-key" -CAcreateserial -CAserial "$work/serial" \
  -days 3650 -extfile "$work/names" -out "$work/cert" 2>/dev/null
# The last certificate is the authority.
cat "$work/cert" agent-ca >"$work/chain"
mv "$work/chain" gateway-cert
chmod 0644 gateway-key
