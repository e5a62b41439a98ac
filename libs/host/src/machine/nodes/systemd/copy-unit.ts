import type { NodeId } from '@libs/domain';
import type { DiskCopy } from '@libs/domain/machine-protocol';

/** What the unit of a copy contains. All paths are absolute. */
export interface CopyUnit {
  nodeId: NodeId;
  copy: DiskCopy;
  /** The user of the node, who gets the copy. */
  user: string;
  /** A directory of root on the file system of `target`, for the work. */
  work: string;
  /** The directory that the copy becomes. */
  target: string;
  /** The directory of the machine. */
  dir: string;
}

const DEVICE = /^\/dev\/disk\/by-id\/[\w.-]+$/;

/**
 * The disk is mounted in a name space of the unit alone, and the kernel unmounts the disk when the unit ends. The node wrote what is on the
 * disk, so no link of the disk is followed. A copy whose target exists was made before.
 */
const SCRIPT = `set -eu
umask 077
device=$1 node=$2 work=$3 target=$4 user=$5
[ ! -d "$target" ] || exit 0
rm -rf "$work"
mkdir -p "$work/disk"
i=0
while [ ! -b "$device" ]; do
  i=$((i + 1))
  [ $i -le 120 ] || { echo "The disk $device is missing." >&2; exit 1; }
  sleep 1
done
mount -t ext4 -o ro,noexec,nosuid,nodev "$device" "$work/disk"
from="$work/disk/nodes/$node"
if [ -L "$from" ] || [ -L "$from/frozen" ] || [ ! -d "$from/frozen" ]; then
  echo "The disk $device has no frozen data of node $node." >&2
  exit 1
fi
cp -R -P "$from/frozen" "$work/data"
umount "$work/disk"
chown -R -h "$user:$user" "$work/data"
mv -T "$work/data" "$target"
rm -rf "$work"
`;

/** A unit that copies once, and stays active after a success. Only this unit may mount disks: the machine agent itself may not. */
export function copyUnit({ nodeId, copy, user, work, target, dir }: CopyUnit): string {
  if (!DEVICE.test(copy.device)) throw new TypeError(`${copy.device} is not a disk`);
  const words = ['/bin/sh', '-c', SCRIPT, 'copy', copy.device, String(copy.node_id), work, target, user];
  return [
    '# Written by the machine agent of Landlord. Changes are lost.',
    '[Unit]',
    `Description=Data for Landlord node ${nodeId}, order ${copy.order}`,
    '[Service]',
    'Type=oneshot',
    'RemainAfterExit=yes',
    `ExecStart=${words.map(quoted).join(' ')}`,
    `StandardError=file:${failureOf(work)}`,
    'TimeoutStartSec=6h',
    'PrivateMounts=yes',
    'PrivateNetwork=yes',
    'PrivateTmp=yes',
    'NoNewPrivileges=yes',
    'CapabilityBoundingSet=CAP_SYS_ADMIN CAP_CHOWN CAP_DAC_OVERRIDE CAP_FOWNER',
    'ProtectSystem=strict',
    'ProtectHome=yes',
    `ReadWritePaths=${dir}`,
    '',
  ].join('\n');
}

/** The file with what the unit says about its failure. */
export const failureOf = (work: string): string => `${work}.failed`;

/** As one word of a command in a unit file, without a meaning of `$` and `%` for systemd. */
const quoted = (text: string): string =>
  `"${text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll('\n', '\\n')
    .replaceAll('$', '$$$$')
    .replaceAll('%', '%%')}"`;
