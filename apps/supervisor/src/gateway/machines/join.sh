#!/bin/sh
# Makes this host a machine of Landlord. Safe to run again: a joined machine stays as it is.
# sh join.sh --url <gateway> --ca-file <pem> [--memory <MiB>|host] [--disk <GiB>] [--address <address>]
#   [--directory <path>] [--token-file <file>]
set -eu
umask 077

UNIT=landlord-machine.service
UNIT_FILE=/etc/systemd/system/$UNIT
processor='' url='' ca='' node='' agent='' memory='' disk='' address='' token_file='' token=''
dir=/var/lib/landlord-machine
work='' is_new=''

# Prints one sentence. Nothing of this run stays.
stop() {
  echo "$1" >&2
  exit 1
}

clean() {
  status=$?
  trap - EXIT
  [ -z "$work" ] || rm -rf "$work"
  if [ "$status" -ne 0 ] && [ -n "$is_new" ]; then
    if [ -e "$UNIT_FILE" ]; then
      systemctl disable --now --quiet $UNIT 2>/dev/null || true
      rm -f "$UNIT_FILE"
      systemctl daemon-reload || true
    fi
    rm -rf "$dir"
  fi
  exit "$status"
}

is_like() { # text pattern
  printf '%s\n' "$1" | grep -Eqx "$2"
}

read_arguments() {
  while [ $# -gt 0 ]; do
    [ $# -gt 1 ] || stop "The argument $1 needs a value."
    case $1 in
      --url) url=${2%/} ;;
      --ca-file) ca=$2 ;;
      --memory) memory=$2 ;;
      --disk) disk=$2 ;;
      --address) address=$2 ;;
      --directory) dir=${2%/} ;;
      --token-file) token_file=$2 ;;
      --token) stop 'Give the token in a file with --token-file, or on standard input: all users can see arguments.' ;;
      *) stop "The argument $1 is unknown." ;;
    esac
    shift 2
  done
}

# Everything below becomes part of JSON, of a unit file or of a path.
check_arguments() {
  is_like "$url" 'https://[A-Za-z0-9.:/_-]+|https://\[[0-9a-fA-F:]+\][A-Za-z0-9:/_-]*' || stop 'Give the address of the gateway with --url https://...'
  [ -r "$ca" ] || stop "Give the certificate of the authority with --ca-file: ${ca:-no file} cannot be read."
  is_like "$memory" '(host|[1-9][0-9]{0,8})?' || stop 'Give whole MiB with --memory.'
  is_like "$disk" '([1-9][0-9]{0,8})?' || stop 'Give whole GiB with --disk.'
  is_like "$address" '[A-Za-z0-9.:-]*' || stop 'Give an address or a name of this host with --address.'
  is_like "$dir" '(/[A-Za-z0-9._-]+)+' || stop 'Give an absolute path with --directory.'
}

check_host() {
  [ "$(id -u)" = 0 ] || stop 'Run this script as root.'
  for tool in chmod curl find getconf grep gzip mktemp sha256sum stat systemctl tar uname useradd userdel; do
    command -v $tool >/dev/null 2>&1 || stop "This host has no $tool, which a machine needs."
  done
  systemctl show --property=Version >/dev/null 2>&1 || stop 'This host does not run systemd.'
  case $(uname -m) in
    x86_64 | amd64) processor=x64 ;;
    aarch64 | arm64) processor=arm64 ;;
    *) stop "Nodes run on the processors x86_64 and aarch64, and this host has $(uname -m)." ;;
  esac
  libc=$(getconf GNU_LIBC_VERSION 2>/dev/null || echo none)
  minor=$(printf '%s\n' "$libc" | sed -n 's/^glibc 2\.\([0-9][0-9]*\).*/\1/p')
  [ "${minor:-0}" -ge 28 ] || stop "Nodes need glibc 2.28 or later, and this host has $libc."
}

read_token() {
  if [ -n "$token_file" ]; then
    [ -r "$token_file" ] || stop "The file $token_file cannot be read."
    case $(stat -L -c %a "$token_file") in
      *00) ;;
      *) stop "Other users can read $token_file: run chmod 600 on the file." ;;
    esac
    read -r token <"$token_file" || true
  else
    [ ! -t 0 ] || { trap 'stty echo; exit 1' INT && printf 'Join token: ' >&2 && stty -echo; }
    read -r token || true
    [ ! -t 0 ] || { stty echo && echo >&2; }
  fi
  is_like "$token" '[1-9][0-9]*\.[A-Za-z0-9_-]+' || stop 'The join token is not complete: it has the form <number>.<secret>.'
}

download() { # path file
  printf 'header = "authorization: Bearer join %s"\n' "$token" |
    curl --config - --fail --silent --show-error --proto '=https' --tlsv1.2 --cacert "$ca" --retry 5 \
      --connect-timeout 20 --output "$work/$2" "$url$1"
}

find_programs() {
  download "/agent/v1/machines/programs?processor=$processor" programs ||
    stop "The gateway $url cannot be reached, or refuses the token: a token is good once and expires."
  node=$(sed -n 's/^node \([0-9a-f]\{64\}\) .*/\1/p' "$work/programs")
  agent=$(sed -n 's/^agent \([0-9a-f]\{64\}\) .*/\1/p' "$work/programs")
  [ -n "$node" ] && [ -n "$agent" ] ||
    stop "The gateway lacks programs for this processor: an operator must run npm run artifacts -- --node <archive>."
}

# All bytes are checked before anything runs. The folder appears by a rename.
get() { # name sha256
  folder=$dir/machine/$1-$2
  [ ! -d "$folder" ] || return 0
  download "/agent/v1/artifacts/$2" "$1" || stop "The artifact $1 cannot be downloaded from $url."
  echo "$2  $work/$1" | sha256sum -c --status || stop "The artifact $1 has another sha256 than $2: nothing of it was started."
  mkdir "$work/$1.d"
  tar -xzf "$work/$1" -C "$work/$1.d" --no-same-owner || stop "The artifact $1 cannot be unpacked."
  chmod -R a+rX,go-w "$work/$1.d"
  rm "$work/$1"
  mv "$work/$1.d" "$folder"
}

member() { # name JSON
  [ -z "$2" ] || printf ',"%s":%s' "$1" "$2"
}

write_files() {
  cp "$ca" "$work/ca.pem"
  chmod 644 "$work/ca.pem"
  mv "$work/ca.pem" "$dir/ca.pem"
  {
    printf '{"agent_url":"%s","token":"%s","nodes":"systemd","ca_file":"%s"' "$url" "$token" "$dir/ca.pem"
    if [ "$memory" = host ]; then member limits '"host"'; else member memory_mib "$memory"; fi
    member disk_gib "$disk"
    member address "${address:+\"$address\"}"
    printf '}\n'
  } >"$work/machine.json"
  mv "$work/machine.json" "$dir/machine.json"
}

# /etc: the users of nodes. /run/systemd/system: the units of nodes.
write_unit() { # program
  cat >"$work/unit" <<UNIT_END
[Unit]
Description=Landlord machine agent
After=network-online.target
Wants=network-online.target
StartLimitIntervalSec=0
[Service]
Type=exec
ExecStart=$1 $dir/machine/agent/machine.main.js --dir $dir
Environment=NODE_EXTRA_CA_CERTS=$dir/ca.pem
Restart=always
RestartSec=5
RestartPreventExitStatus=78
OOMScoreAdjust=-500
MemoryMax=512M
NoNewPrivileges=yes
CapabilityBoundingSet=CAP_CHOWN CAP_DAC_OVERRIDE CAP_FOWNER CAP_FSETID CAP_KILL
ProtectSystem=strict
ReadWritePaths=/etc /run/systemd/system $dir
ProtectHome=yes
ProtectClock=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectControlGroups=yes
PrivateTmp=yes
PrivateDevices=yes
LockPersonality=yes
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6
KeyringMode=private
UMask=0077
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallErrorNumber=EPERM
[Install]
WantedBy=multi-user.target
UNIT_END
  chmod 644 "$work/unit"
  mv "$work/unit" "$UNIT_FILE"
}

has_joined() {
  grep -q '"machine_id"' "$dir/credential.json" 2>/dev/null
}

# A refused join ends the agent with 78. Its last line says why.
await_join() {
  i=0
  while ! has_joined; do
    i=$((i + 1))
    if [ "$(systemctl show --property=ExecMainStatus --value $UNIT)" = 78 ]; then
      reason=$(journalctl "_SYSTEMD_UNIT=$UNIT" --lines 50 --output cat 2>/dev/null | grep -v '^{' | tail -n 1)
      stop "${reason:-The machine agent refused to start.}"
    fi
    if [ $i -ge 60 ]; then
      echo "The gateway $url has not answered yet. The machine agent continues: see journalctl --unit $UNIT."
      exit 0
    fi
    sleep 1
  done
}

main() {
  read_arguments "$@"
  check_arguments
  check_host
  if [ -e "$UNIT_FILE" ] && has_joined; then
    echo "This host is already a machine of Landlord. Nothing was changed."
    exit 0
  fi
  read_token
  trap clean EXIT
  trap 'exit 1' HUP INT TERM
  [ -e "$dir" ] || is_new=yes
  mkdir -p "$dir/machine"
  chmod 711 "$dir"
  work=$(mktemp -d "$dir/.join-XXXXXX")
  find_programs
  get node "$node"
  get agent "$agent"
  program=$(find "$dir/machine/node-$node" -path '*/bin/node' -type f | head -n 1)
  [ -x "$program" ] || stop 'The artifact node does not contain bin/node.'
  ln -sfn "agent-$agent" "$dir/machine/agent"
  write_files
  write_unit "$program"
  systemctl daemon-reload
  systemctl enable --quiet $UNIT
  systemctl restart $UNIT
  await_join
  echo "This host is now a machine of Landlord."
}

main "$@"
