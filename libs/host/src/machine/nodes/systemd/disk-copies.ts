import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { NodeId } from '@libs/domain';
import type { DiskCopy } from '@libs/domain/machine-protocol';
import { copiedData } from '@libs/domain/node-orders';
import { NodeFailed } from '../node-failed.js';
import { copyUnit, failureOf } from './copy-unit.js';
import { Systemctl } from './systemctl.js';
import type { SystemUser } from './system-users.js';
import { writeFor, writeUnitFile } from './unit-writes.js';

/** The node that gets the data. */
export interface CopyTarget {
  nodeId: NodeId;
  user: SystemUser & { name: string };
  /** The directory of the node. */
  directory: string;
}

/** Copies the data of other disks for nodes: at most one copy for each node at a time, in a unit that outlives the machine agent. */
export class DiskCopies {
  private readonly systemctl = new Systemctl();

  constructor(
    /** The directory of the machine. */
    private readonly dir: string,
    private readonly units: string,
  ) {}

  /** Starts the copy, or looks at it. False: the copy continues. A failure is told to the agent of the node, and ends the copy. */
  async bring(copy: DiskCopy, target: CopyTarget): Promise<boolean> {
    const { nodeId, user, directory } = target;
    try {
      return await this.step(copy, target);
    } catch (error) {
      if (!(error instanceof NodeFailed) && !(error instanceof TypeError)) throw error;
      await writeFor(user, join(directory, copiedData(copy.order).failure), error.message);
      await this.end(nodeId);
      return true;
    }
  }

  /** Ends a copy, and deletes what it has copied so far. */
  async end(nodeId: NodeId): Promise<void> {
    const path = join(this.units, unitNameOf(nodeId));
    if ((await readFile(path, 'utf8').catch(() => null)) === null) return;
    await this.systemctl.stop(unitNameOf(nodeId));
    await rm(path, { force: true });
    await this.systemctl.reload();
    await this.systemctl.forget(unitNameOf(nodeId));
    for (const file of [this.work(nodeId), failureOf(this.work(nodeId))])
      await rm(file, { recursive: true, force: true });
  }

  private async step(copy: DiskCopy, { nodeId, user, directory }: CopyTarget): Promise<boolean> {
    const path = join(this.units, unitNameOf(nodeId));
    const target = join(directory, copiedData(copy.order).directory);
    const content = copyUnit({ nodeId, copy, user: user.name, work: this.work(nodeId), target, dir: this.dir });
    if ((await readFile(path, 'utf8').catch(() => null)) !== content) {
      await this.end(nodeId);
      await this.start(nodeId, path, content);
    }
    switch (await this.systemctl.stateOf(unitNameOf(nodeId))) {
      case 'active':
        await this.end(nodeId);
        return true;
      case 'failed':
        throw new NodeFailed(await this.failure(nodeId));
      case 'inactive':
        // The machine agent ended between the file and the start, or the host started again.
        await this.systemctl.begin(unitNameOf(nodeId));
        return false;
      default:
        return false;
    }
  }

  private async start(nodeId: NodeId, path: string, content: string): Promise<void> {
    await mkdir(join(this.dir, 'copies'), { recursive: true, mode: 0o700 });
    await rm(failureOf(this.work(nodeId)), { force: true });
    await writeUnitFile(path, content);
    await this.systemctl.reload();
    await this.systemctl.begin(unitNameOf(nodeId));
  }

  private async failure(nodeId: NodeId): Promise<string> {
    const failure = await readFile(failureOf(this.work(nodeId)), 'utf8').catch(() => '');
    return failure.trim().slice(-500) || 'The data of the other disk could not be copied.';
  }

  private work(nodeId: NodeId): string {
    return join(this.dir, 'copies', String(nodeId));
  }
}

const unitNameOf = (nodeId: NodeId): string => `landlord-copy-${nodeId}.service`;
