import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { frozenDirectory, type NodeHome } from '../../control/node-home.js';
import type { NodeOrder } from '@libs/domain';

const COPIED = /^copied-(\d+)(\.failed)?$/;

/**
 * Deletes what orders that are no longer in the document have left: frozen data, and data that was copied from another disk. The machine
 * agent can copy the data for an order before this agent has a document with the order, so only copies for earlier orders are
 * deleted. The orders of a node have growing ids, and an order to settle or to revert follows each restore.
 */
export async function removeLeftovers(home: NodeHome, orders: readonly NodeOrder[]): Promise<void> {
  if (!orders.some(({ kind }) => kind === 'freeze_data'))
    await rm(frozenDirectory(home), { recursive: true, force: true });
  const newest = Math.max(0, ...orders.map(({ id }) => id));
  for (const name of await readdir(home.dir)) {
    const [, id] = COPIED.exec(name) ?? [];
    const isEarlier = id !== undefined && Number(id) < newest;
    if (isEarlier && !orders.some((order) => order.id === Number(id)))
      await rm(join(home.dir, name), { recursive: true, force: true });
  }
}
