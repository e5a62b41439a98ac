import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { BrokerError } from '../../../control/broker-error.js';
import { requireSpace } from '../../../control/copy-space.js';
import { copyWhileStopped } from '../../../control/copy-while-stopped.js';
import { frozenDirectory, type NodeHome } from '../../../control/node-home.js';
import type { ProcessMark } from '../../../os/process-table.js';
import type { Account } from '../gate/frame-filter.js';
import { IGGY_FILES, SERVER_FILES } from '../iggy-files.js';
import { diskSpace } from './disk-space.js';
import { flush, partitionsOf, unreadable, type Partition } from './iggy-partitions.js';
import { IggyServer } from './iggy-server.js';
import type { TrialServer } from './iggy-trial.js';

/** What a copy of the data of a node needs. */
export interface CopyWork {
  /** The server process of the node. */
  server: ProcessMark;
  root: Account;
  /** Starts a server on the copy. */
  trial: (data: string) => Promise<TrialServer>;
}

/**
 * Copies the data of a node into `frozenDirectory`, without the configuration and the logs of the server. A server that runs writes
 * everything to the disk first, and stands still while its files are copied. Then another server starts on the copy: the newest
 * message of every partition must be readable there. Rejects with BrokerError otherwise, and when the copy would fill the disk.
 */
export async function copyData(home: NodeHome, { server, root, trial }: CopyWork): Promise<void> {
  const [from, to] = [IGGY_FILES.data(home), frozenDirectory(home)];
  const copied = { from, to, without: SERVER_FILES.left };
  // An interrupted copy still uses the disk.
  await rm(to, { recursive: true, force: true });
  await requireSpace(copied, diskSpace);
  const running = await new IggyServer(home, root).running();
  const partitions = running ? await partitionsOf(running.admin) : [];
  if (running) await flush(running.admin, partitions);
  await copyWhileStopped(server, copied);
  await prove(to, partitions, trial);
  for (const name of SERVER_FILES.left) await rm(join(to, name), { recursive: true, force: true });
}

/** Without known partitions, those of the copy itself are read: the node was stopped. */
async function prove(data: string, known: Partition[], trial: CopyWork['trial']): Promise<void> {
  const server = await trial(data);
  try {
    const partitions = known.length > 0 ? known : await partitionsOf(server.admin);
    const [lost] = await unreadable(server.admin, partitions);
    if (lost)
      throw new BrokerError(
        `the copy of the data cannot be read: stream ${lost.stream}, topic ${lost.topic}, partition ${lost.id}`,
      );
  } finally {
    await server.end();
  }
}
