import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Database } from '@libs/persistence';
import { DiagnosticSnapshotsRepository, RuntimesRepository, type ExpiredSnapshot } from '@libs/persistence/runtime';
import { Operations, StandingTruth } from '@libs/workflow';
import { SUPERVISOR_CONFIG, type SupervisorConfig } from '../config.js';

const PERIOD_MS = 20_000;

/** Deletes snapshots whose time is over. Several processes may look at once: one of them marks a snapshot, the others pass by. */
@Injectable()
export class SnapshotHousekeeper extends StandingTruth {
  private readonly snapshots: DiagnosticSnapshotsRepository;
  private readonly runtimes: RuntimesRepository;
  private readonly cell: string;

  constructor(
    private readonly database: Database,
    private readonly operations: Operations,
    @Inject(SUPERVISOR_CONFIG) config: SupervisorConfig,
  ) {
    super('SnapshotHousekeeper', PERIOD_MS);
    this.snapshots = new DiagnosticSnapshotsRepository(database);
    this.runtimes = new RuntimesRepository(database);
    this.cell = config.SUPERVISOR_CELL;
  }

  protected async pass(stopping: AbortSignal): Promise<void> {
    for (const expired of await this.snapshots.findExpired(this.cell)) {
      if (stopping.aborted) return;
      await this.database.transaction(() => this.delete(expired));
    }
  }

  private async delete({ id, deploymentId }: ExpiredSnapshot): Promise<void> {
    const facts = await this.runtimes.facts(deploymentId);
    if (!facts || !(await this.snapshots.markDeleting(deploymentId, id))) return;
    await this.operations.start({
      type: 'delete_snapshot',
      cell: this.cell,
      tenantId: facts.tenant_id,
      divisionId: facts.division_id,
      environmentId: facts.environment_id,
      deploymentId,
      authorId: null,
      apiKeyId: null,
      traceId: randomBytes(16).toString('hex'),
      memo: { snapshot_id: id },
    });
  }
}
