import { createHash } from 'node:crypto';
import { ObjectStoreError, type ObjectStore } from '@libs/object-store';
import type { BackupSnapshot } from '@libs/persistence/runtime';
import { StepImpossible } from '@libs/workflow';

/** The data of one node in the object store. */
export type StoredArchive = Pick<BackupSnapshot, 'node_id' | 'sha256' | 'size_bytes'> & { object_key: string };

/** Whether the data is in the object store. Otherwise it is a snapshot at the provider. */
export const isArchive = <T extends BackupSnapshot>(snapshot: T): snapshot is T & StoredArchive =>
  snapshot.object_key !== null;

/** @throws StepImpossible for a missing or changed archive, ObjectStoreError when the archive cannot be read */
export async function verifyArchive(store: ObjectStore, snapshot: StoredArchive, signal: AbortSignal): Promise<void> {
  const { object_key: key, node_id: nodeId } = snapshot;
  const body = await store.get(key).catch((error: unknown) => {
    if (error instanceof ObjectStoreError && error.fault === 'missing')
      throw new StepImpossible(`the backup is damaged: the data of node ${nodeId} is missing`);
    throw error;
  });
  const hash = createHash('sha256');
  for await (const chunk of body) {
    signal.throwIfAborted();
    hash.update(chunk as Buffer);
  }
  if (hash.digest('hex') !== snapshot.sha256)
    throw new StepImpossible(`the backup is damaged: the checksum of the data of node ${nodeId} is wrong`);
}
