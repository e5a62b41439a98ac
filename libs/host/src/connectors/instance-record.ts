import { rm } from 'node:fs/promises';
import type { ConnectorType, ConnectorInstanceId } from '@libs/domain';
import type { NodeHome } from '../control/node-home.js';
import { readFileIfAny, writePrivateFile } from '../os/private-file.js';
import { CONNECTORS_FILES } from './connectors-files.js';
import type { MovedCounts } from './connector-work.js';
import { deliveredCounts } from './delivery/delivery-record.js';

/** The durable progress of an instance: `connectors/<instance id>.json` in the node's directory. */
export interface InstanceRecord {
  type: ConnectorType;
  /**
   * Source: number of the first message that the broker has not acknowledged, which is also the number of acknowledged ones.
   */
  next: number;
  /** Source: where the next read continues. Absent for sources that count only. */
  cursor?: unknown;
  /** Sink: the subscribed topics of its session at the broker. */
  topics: string[];
}

export async function readInstanceRecord(
  home: Pick<NodeHome, 'dir'>,
  instanceId: ConnectorInstanceId,
): Promise<InstanceRecord | null> {
  const content = await readFileIfAny(CONNECTORS_FILES.instance(home, instanceId));
  return content === null ? null : (JSON.parse(content) as InstanceRecord);
}

export async function writeInstanceRecord(
  home: Pick<NodeHome, 'dir'>,
  instanceId: ConnectorInstanceId,
  record: InstanceRecord,
): Promise<void> {
  await writePrivateFile(CONNECTORS_FILES.instance(home, instanceId), JSON.stringify(record));
}

export async function forgetInstance(home: Pick<NodeHome, 'dir'>, instanceId: ConnectorInstanceId): Promise<void> {
  await rm(CONNECTORS_FILES.delivered(home, instanceId), { force: true });
  // Removed last, because the cleanup is repeated while this file exists.
  await rm(CONNECTORS_FILES.instance(home, instanceId), { force: true });
}

/** Numbers of messages since activation, from the files of the instance. 0 when it never ran. */
export async function movedCounts(home: Pick<NodeHome, 'dir'>, instanceId: ConnectorInstanceId): Promise<MovedCounts> {
  const record = await readInstanceRecord(home, instanceId);
  return record?.type === 'sink' ? deliveredCounts(home, instanceId) : { messages: record?.next ?? 0, failed: 0 };
}
