import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { frozenDirectory, type NodeHome } from '@libs/broker/runtime';
import type { NodeOrder } from '@libs/domain';

const COPIED = /^copied-(\d+)(\.failed)?$/;

/** Deletes what orders that are no longer in the document have left: frozen data, and data that was copied from another disk. */
export async function removeLeftovers(home: NodeHome, orders: readonly NodeOrder[]): Promise<void> {
  if (!orders.some(({ kind }) => kind === 'freeze_data'))
    await rm(frozenDirectory(home), { recursive: true, force: true });
  for (const name of await readdir(home.dir)) {
    const [, id] = COPIED.exec(name) ?? [];
    if (id !== undefined && !orders.some((order) => order.id === Number(id)))
      await rm(join(home.dir, name), { recursive: true, force: true });
  }
}
