import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Database } from '@libs/persistence';
import { NodesRepository } from '@libs/persistence/runtime';
import { SUPERVISOR_CONFIG, type SupervisorConfig } from '../config.js';
import { DeploymentResources } from './deployment-resources.js';

const PERIOD_MS = 5_000;
/** Three heartbeats: an agent that lives would have been heard. */
const SILENT_SECONDS = 30;
const CALL_TIMEOUT_MS = 10_000;

/**
 * Standing truth: every node of a serving deployment has its agent. Takes no input, looks at what was not heard of,
 * and asks the provider for it again; one that lives is left alone. At boot it looks at all nodes of the cell at once,
 * since a machine that was down has none.
 */
@Injectable()
export class NodeSweeper implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('NodeSweeper');
  private readonly nodes: NodesRepository;
  private readonly stop = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private pass: Promise<void> = Promise.resolve();

  constructor(
    database: Database,
    private readonly resources: DeploymentResources,
    @Inject(SUPERVISOR_CONFIG) private readonly config: SupervisorConfig,
  ) {
    this.nodes = new NodesRepository(database);
  }

  onApplicationBootstrap(): void {
    this.schedule(0, 0);
  }

  async onApplicationShutdown(): Promise<void> {
    this.stop.abort();
    clearTimeout(this.timer);
    await this.pass;
  }

  private schedule(afterMs: number, silentSeconds: number): void {
    if (this.stop.signal.aborted) return;
    this.timer = setTimeout(() => {
      this.pass = this.sweep(silentSeconds)
        .catch((error: unknown) => this.logger.warn({ err: error }, 'sweep failed, will be tried again'))
        .then(() => this.schedule(PERIOD_MS, SILENT_SECONDS));
    }, afterMs);
  }

  private async sweep(silentSeconds: number): Promise<void> {
    for (const { id, deploymentId } of await this.nodes.findSilent(this.config.SUPERVISOR_CELL, silentSeconds)) {
      if (this.stop.signal.aborted) return;
      await this.revive(id, deploymentId);
    }
  }

  private async revive(nodeId: number, deploymentId: number): Promise<void> {
    const facts = await this.resources.facts(deploymentId);
    const node = (await this.nodes.list(deploymentId)).find(({ id }) => id === nodeId);
    if (!node || node.status === 'deleting') return;
    const signal = AbortSignal.any([this.stop.signal, AbortSignal.timeout(CALL_TIMEOUT_MS)]);
    await this.resources.ensureNode(facts, node, signal).catch((error: unknown) => {
      this.logger.warn({ node: nodeId, deployment: deploymentId, error: String(error) }, 'node could not be ensured');
    });
  }
}
