import { BackupsRepository, type BackupRow, type BackupType } from '@libs/persistence/runtime';
import { BackupRequests } from '../src/backups/backup-requests.js';
import type { LifecycleFixture } from './lifecycle.fixture.js';

/** Requests backups of a fixture's deployment like the API. */
export class BackupFixture {
  private readonly requests: BackupRequests;
  private readonly backups: BackupsRepository;

  constructor(readonly lifecycle: LifecycleFixture) {
    this.requests = lifecycle.module.get(BackupRequests, { strict: false });
    this.backups = new BackupsRepository(lifecycle.bench.database);
  }

  ask(type: BackupType = 'manual'): Promise<{ backup: number; operation: number }> {
    const nobody = { nodeId: null, remarks: null, authorId: null, apiKeyId: null, traceId: '1'.repeat(32) };
    const request = { deploymentId: this.lifecycle.deploymentId, name: 'nightly', type, ...nobody };
    return this.lifecycle.bench.database.transaction(() => this.requests.take(request));
  }

  /** Requests a backup, runs its operation, and returns its id. */
  async taken(): Promise<number> {
    const { bench, workflows } = this.lifecycle;
    const { backup, operation } = await this.ask();
    const runner = () => bench.runner([workflows.backup]);
    await bench.drive(operation, runner, () => this.lifecycle.agentsReport());
    return backup;
  }

  find(id: number): Promise<BackupRow | null> {
    return this.backups.find(this.lifecycle.deploymentId, id);
  }

  /** Returns the number of orders of all nodes. */
  async orders(): Promise<number> {
    const [row] = await this.lifecycle.bench.rows<{ count: string }>('select count(*) from node_orders');
    return Number(row?.count);
  }
}
