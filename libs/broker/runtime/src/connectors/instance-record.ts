import { rm } from 'node:fs/promises';
import type { ConnectorType, ConnectorInstanceId } from '@libs/domain';
import type { NodePlace } from '../node-place.js';
import { readFileIfAny, writePrivateFile } from '../private-file.js';
import { CONNECTORS_FILES } from './connectors-files.js';
import { deliveredCount } from './delivery/delivery-record.js';

/** The durable progress of an instance: `connectors/<instance id>.json` in the node's directory. */
export interface InstanceRecord {
  type: ConnectorType;
  /**
   * Source: number of the first message that the broker has not acknowledged, which is also the number of acknowledged ones.
   */
  next: number;
  /** Sink: the subscribed topics of its session at the broker. */
  topics: string[];
}

export async function readInstanceRecord(
  place: Pick<NodePlace, 'dir'>,
  instanceId: ConnectorInstanceId,
): Promise<InstanceRecord | null> {
  const content = await readFileIfAny(CONNECTORS_FILES.instance(place, instanceId));
  return content === null ? null : (JSON.parse(content) as InstanceRecord);
}

export async function writeInstanceRecord(
  place: Pick<NodePlace, 'dir'>,
  instanceId: ConnectorInstanceId,
  record: InstanceRecord,
): Promise<void> {
  await writePrivateFile(CONNECTORS_FILES.instance(place, instanceId), JSON.stringify(record));
}

export async function forgetInstance(place: Pick<NodePlace, 'dir'>, instanceId: ConnectorInstanceId): Promise<void> {
  await rm(CONNECTORS_FILES.delivered(place, instanceId), { force: true });
  // Removed last, because the cleanup is repeated while this file exists.
  await rm(CONNECTORS_FILES.instance(place, instanceId), { force: true });
}

/** Number of messages since activation, from the files of the instance. 0 when it never ran. */
export async function movedMessages(place: Pick<NodePlace, 'dir'>, instanceId: ConnectorInstanceId): Promise<number> {
  const record = await readInstanceRecord(place, instanceId);
  return record?.type === 'sink' ? deliveredCount(place, instanceId) : (record?.next ?? 0);
}
