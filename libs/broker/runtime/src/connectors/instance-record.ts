import { rm } from 'node:fs/promises';
import type { ConnectorType } from '@libs/domain';
import type { NodePlace } from '../node-place.js';
import { readFileIfAny, writePrivateFile } from '../private-file.js';
import { CONNECTORS_FILES } from './connectors-files.js';
import { deliveredCount } from './delivery/delivery-record.js';

/** How far an instance has come, durably: `connectors/<instance id>.json` in the node's directory. */
export interface InstanceRecord {
  type: ConnectorType;
  /** Of a source: number of the first message that was not acknowledged by the broker yet, which is how many were. */
  next: number;
  /** Of a sink: what its session at the broker is subscribed to. */
  topics: string[];
}

export async function readInstanceRecord(
  place: Pick<NodePlace, 'dir'>,
  instanceId: number,
): Promise<InstanceRecord | null> {
  const content = await readFileIfAny(CONNECTORS_FILES.instance(place, instanceId));
  return content === null ? null : (JSON.parse(content) as InstanceRecord);
}

export async function writeInstanceRecord(
  place: Pick<NodePlace, 'dir'>,
  instanceId: number,
  record: InstanceRecord,
): Promise<void> {
  await writePrivateFile(CONNECTORS_FILES.instance(place, instanceId), JSON.stringify(record));
}

export async function forgetInstance(place: Pick<NodePlace, 'dir'>, instanceId: number): Promise<void> {
  await rm(CONNECTORS_FILES.delivered(place, instanceId), { force: true });
  // Last: while it is there, somebody comes back to finish.
  await rm(CONNECTORS_FILES.instance(place, instanceId), { force: true });
}

/** Messages that an instance has moved since it was activated, as its files say; 0 when it never ran. */
export async function movedMessages(place: Pick<NodePlace, 'dir'>, instanceId: number): Promise<number> {
  const record = await readInstanceRecord(place, instanceId);
  return record?.type === 'sink' ? deliveredCount(place, instanceId) : (record?.next ?? 0);
}
