import { Inject, Injectable } from '@nestjs/common';
import { Database } from '@libs/persistence';
import { CellProcessesRepository } from '@libs/persistence/organization';
import { IncidentsRepository } from '@libs/persistence/platform';
import { ReachabilityRepository, RuntimesRepository, type MismatchedDeployment } from '@libs/persistence/runtime';
import { Reconciler } from '@libs/workflow';
import { SUPERVISOR_CONFIG, type SupervisorConfig } from '../config.js';
import { ReachabilityLedger } from './reachability-ledger.js';

const LONGEST_PERIOD_MS = 5_000;
const MASS_SILENCE = 'many_nodes_silent';
/** Fewer nodes can fail together for other reasons: one deployment on one machine. */
const MASS_NODES = 5;
const MASS_SHARE = 0.3;

/**
 * Marks nodes without a report for NODE_UNREACHABLE_SECONDS as `unreachable`, and deployments with a node that does not
 * serve for more than a moment as `degraded`. Marks no node before a gateway of the cell has listened for a whole period. When many nodes stop
 * reporting at once, the network is the likely cause: one incident is opened, and no node is marked.
 */
@Injectable()
export class ReachabilityReconciler extends Reconciler {
  private readonly cell: string;
  private readonly seconds: number;

  constructor(
    private readonly database: Database,
    private readonly reachability: ReachabilityRepository,
    private readonly runtimes: RuntimesRepository,
    private readonly processes: CellProcessesRepository,
    private readonly incidents: IncidentsRepository,
    private readonly ledger: ReachabilityLedger,
    @Inject(SUPERVISOR_CONFIG) config: SupervisorConfig,
  ) {
    super('Reachability', Math.min(LONGEST_PERIOD_MS, (config.NODE_UNREACHABLE_SECONDS * 1000) / 4));
    this.cell = config.SUPERVISOR_CELL;
    this.seconds = config.NODE_UNREACHABLE_SECONDS;
  }

  /** The records of nodes have changed: the status of their deployments follows at once. */
  look(): void {
    this.wakeUp();
  }

  protected async pass(): Promise<void> {
    const mayMark = (await this.processes.hasListened(this.cell, this.seconds)) && !(await this.isMassSilence());
    await this.database.transaction(async () => {
      const lost = mayMark ? await this.reachability.markUnreachable(this.cell, this.seconds) : [];
      for (const change of [...lost, ...(await this.reachability.markReachable(this.cell))]) {
        await this.ledger.changed(change);
        this.logger.warn(change, change.isReachable ? 'node is reachable again' : 'node is unreachable');
      }
    });
    await this.reachability.noteDown(this.cell);
    for (const deployment of await this.reachability.findMismatched(this.cell))
      await this.database.transaction(() => this.correct(deployment));
  }

  private async correct({ deploymentId, bad, nodes }: MismatchedDeployment): Promise<void> {
    const reason = bad === 0 ? null : `${bad} of ${nodes} nodes are not in service`;
    const isMoved = await this.runtimes.move(deploymentId, bad === 0 ? 'initialized' : 'degraded', reason);
    if (isMoved) await this.ledger.serviceChanged(deploymentId, reason);
  }

  private async isMassSilence(): Promise<boolean> {
    const { nodes, stale } = await this.reachability.count(this.cell, this.seconds);
    const isMass = nodes >= MASS_NODES && stale > nodes * MASS_SHARE;
    const detail = `${stale} of ${nodes} nodes of cell ${this.cell} became silent at the same time`;
    const incidents = isMass ? [{ kind: MASS_SILENCE, subject: `${this.cell} nodes`, detail }] : [];
    await this.incidents.closeOthers(
      MASS_SILENCE,
      `${this.cell} `,
      incidents.map(({ subject }) => subject),
    );
    for (const incident of await this.incidents.open(incidents)) this.logger.error(incident, 'incident opened');
    return isMass;
  }
}
