import { statfs } from 'node:fs/promises';

const MIB = 1024 * 1024;
/** The reserve is this share of the disk, within the limits. */
const RESERVE_SHARE = 0.05;
const LEAST_RESERVE_BYTES = 16 * MIB;
const LARGEST_RESERVE_BYTES = 256 * MIB;
/** Below this part of the reserve, the next write can fail. */
const CRITICAL_SHARE = 0.25;

/** The disk of a data directory. */
export interface DiskSpace {
  freeBytes: number;
  /** Below it, the broker takes no new messages. */
  reserveBytes: number;
  /** Below it, no server may run: it loses acknowledged messages when a write fails. */
  criticalBytes: number;
}

export async function diskSpace(directory: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(directory);
  const share = blocks * bsize * RESERVE_SHARE;
  const reserveBytes = Math.min(Math.max(share, LEAST_RESERVE_BYTES), LARGEST_RESERVE_BYTES);
  return { freeBytes: bavail * bsize, reserveBytes, criticalBytes: reserveBytes * CRITICAL_SHARE };
}

/** Why the broker takes no messages, or does not run. The text has no free size, because a node reports each change of its reason. */
export const diskFull = ({ reserveBytes }: DiskSpace, what: string): string =>
  `the disk of the node is full: ${what} until ${Math.ceil(reserveBytes / MIB)} MiB are free`;
