import { joinLine, type JoinFiles } from '@libs/domain';

/** Where machines keep programs and nodes. The data disk is there. */
const DIRECTORY = '/var/lib/landlord-machine';
const LIMIT_BYTES = 16 * 1024;

export interface FirstBoot {
  join: JoinFiles;
  /** `<id>.<secret>`. */
  token: string;
  /** The beginning of the paths of the disks with the data, below /dev/disk/by-id. */
  disks: string;
}

/**
 * The script that an instance runs at its first boot, as its user data or its startup script. It prepares the data disk and joins. The
 * token is good once and for half an hour, because everybody who may read the attributes of the instance can read it.
 */
export function firstBootScript({ join, token, disks }: FirstBoot): string {
  const { line } = joinLine(join);
  const script = SCRIPT.replaceAll('@DIRECTORY@', DIRECTORY)
    .replaceAll('@LINK@', disks)
    .replaceAll('@TOKEN@', token)
    .replaceAll('@JOIN@', () => line.replace(/\)$/, ' --memory host)'));
  if (Buffer.byteLength(script) > LIMIT_BYTES) throw new TypeError('the script is longer than a cloud accepts');
  return script;
}

// A format only where the disk is empty: the data of an earlier start must survive. fsck and growth belong to systemd.
const SCRIPT = `#!/bin/sh
# Makes this instance a machine of Landlord.
set -eu
umask 077
dir=@DIRECTORY@
# Google runs a startup script at each boot.
done=/var/lib/landlord-first-boot
[ ! -e $done ] || exit 0

# Also partitions have a link, and a link for each namespace.
disks() {
  for link in @LINK@*; do
    case $link in *-part* | *_[0-9]) continue ;; esac
    [ ! -b "$link" ] || readlink -f "$link"
  done | sort -u
}

i=0
while [ -z "$(disks)" ]; do
  i=$((i + 1))
  [ $i -le 600 ] || { echo 'The data disk of Landlord is missing.' >&2; exit 1; }
  sleep 1
done
set -- $(disks)
disk=$1
what=@LINK@
if [ $# -gt 1 ]; then
  disk=/dev/md/landlord
  [ -b $disk ] || mdadm --create $disk --run --level=0 --raid-devices=$# "$@"
fi
[ -n "$(blkid -o value -s TYPE "$disk" || true)" ] || mkfs.ext4 -q -L landlord-data "$disk"
mkdir -p "$dir"
# A volume is not named by its UUID: a volume that is made of its snapshot has the same.
[ -b "$what" ] || what=UUID=$(blkid -o value -s UUID "$disk")
grep -q "^$what " /etc/fstab ||
  echo "$what $dir ext4 defaults,nofail,x-systemd.growfs,x-systemd.device-timeout=300 0 2" >>/etc/fstab
mountpoint -q "$dir" || mount "$disk" "$dir"

# A volume can grow while the instance runs.
cat >/etc/systemd/system/landlord-disk.service <<END
[Unit]
Description=Grow the file system of Landlord
[Service]
Type=oneshot
ExecStart=/lib/systemd/systemd-growfs $dir
END
cat >/etc/systemd/system/landlord-disk.timer <<END
[Unit]
Description=Grow the file system of Landlord with its volume
[Timer]
OnActiveSec=60
OnUnitActiveSec=60
[Install]
WantedBy=timers.target
END
# The programs of the machine agent are on the data disk.
mkdir -p /etc/systemd/system/landlord-machine.service.d
printf '[Unit]\\nRequiresMountsFor=%s\\n' "$dir" >/etc/systemd/system/landlord-machine.service.d/disk.conf
systemctl daemon-reload
systemctl enable --quiet --now landlord-disk.timer

# The gateway may be away for a while. After half an hour the token is not good any more.
i=0
until printf '%s\\n' '@TOKEN@' | @JOIN@; do
  i=$((i + 1))
  [ $i -le 180 ] || exit 1
  sleep 10
done
: >$done
`;
