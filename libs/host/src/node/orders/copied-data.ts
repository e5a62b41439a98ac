import { link, lstat, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { NodeOrderId } from '@libs/domain';
import { copiedData } from '@libs/domain/node-orders';
import { readFileIfAny } from '../../os/private-file.js';
import { AgentError } from '../agent-error.js';
import { listingOf, type Listing } from './listing.js';
import { OrderFailed } from './order-failed.js';

/** The data that the machine agent copies from another disk into the directory of the node, for the order with this id. */

/** Rejects with AgentError while the machine agent copies, and with OrderFailed when the data is not what the order expects. */
export async function requireCopiedData(dir: string, id: NodeOrderId, expected: Listing): Promise<void> {
  const { directory, failure } = copiedData(id);
  const reason = await readFileIfAny(join(dir, failure));
  if (reason !== null) throw new OrderFailed(reason);
  const stats = await lstat(join(dir, directory)).catch(() => null);
  if (stats === null) throw new AgentError('the machine agent copies the data');
  const listing = await listingOf(join(dir, directory));
  if (listing.sha256 === expected.sha256 && listing.size_bytes === expected.size_bytes) return;
  throw new OrderFailed('the data on the disk is damaged: files are missing, or have another size');
}

/** Links the files into `incoming`, so that an interrupted order finds the copy again. */
export async function takeCopiedData(dir: string, id: NodeOrderId, incoming: string): Promise<void> {
  await linkTree(join(dir, copiedData(id).directory), incoming);
}

async function linkTree(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await linkTree(source, target);
    else if (entry.isFile()) await link(source, target);
  }
}
