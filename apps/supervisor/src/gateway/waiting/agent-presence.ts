import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { AGENT_LEFT, ReachabilityRepository } from '@libs/persistence/runtime';
import type { NodeId } from '@libs/domain';
import { SUPERVISOR_CONFIG, type SupervisorConfig } from '../../config.js';
import { StatusBatcher } from '../status-batcher.js';

/** How long an agent whose connection was cut may take to come back. */
const GRACE_MS = 1_000;
const CHECK_MS = 250;
/** A report may still be written this long after the end of its connection. */
const WRITING_MS = 200;

/**
 * Notices agents that end: one whose waiting calls end before their answers, and that sends no other one, is gone. The record of its
 * node claims `running` no longer. Behind a proxy the connections are those of the proxy, which ends them with those of its clients.
 */
@Injectable()
export class AgentPresence implements OnModuleDestroy {
  private readonly logger = new Logger('AgentPresence');
  private readonly calls = new Map<NodeId, number>();
  /** When the last waiting call of a node was cut. */
  private readonly cut = new Map<NodeId, number>();
  private timer: NodeJS.Timeout | undefined;
  private isStopping = false;

  constructor(
    private readonly statuses: StatusBatcher,
    private readonly reachability: ReachabilityRepository,
    @Inject(SUPERVISOR_CONFIG) private readonly config: SupervisorConfig,
  ) {}

  onModuleDestroy(): void {
    // The connections that end now are ended by this process.
    this.isStopping = true;
    clearTimeout(this.timer);
  }

  /** The calls of the agent of a node that wait at this gateway. */
  callsOf(nodeId: NodeId): number {
    return this.calls.get(nodeId) ?? 0;
  }

  /** Runs a waiting call of an agent. `closed`: its connection has ended before the answer. */
  async during<T>(nodeId: NodeId, closed: AbortSignal, call: () => Promise<T>): Promise<T> {
    this.cut.delete(nodeId);
    this.calls.set(nodeId, this.callsOf(nodeId) + 1);
    try {
      return await call();
    } finally {
      const others = this.callsOf(nodeId) - 1;
      if (others > 0) this.calls.set(nodeId, others);
      else this.calls.delete(nodeId);
      if (others === 0 && closed.aborted && !this.isStopping) this.watch(nodeId);
    }
  }

  private watch(nodeId: NodeId): void {
    this.cut.set(nodeId, Date.now());
    this.timer ??= setTimeout(() => void this.check(), CHECK_MS);
  }

  private async check(): Promise<void> {
    const before = Date.now() - GRACE_MS;
    const nodes = [...this.cut].filter(([, cutAt]) => cutAt <= before).map(([nodeId]) => nodeId);
    for (const nodeId of nodes) this.cut.delete(nodeId);
    try {
      if (nodes.length > 0) await this.tell(nodes);
    } catch (error) {
      this.logger.warn({ err: error, nodes: nodes.length }, 'closed connections could not be told');
    }
    this.timer = this.cut.size > 0 && !this.isStopping ? setTimeout(() => void this.check(), CHECK_MS) : undefined;
  }

  /** An agent that has come back to another gateway has reported to it since. */
  private async tell(nodes: readonly NodeId[]): Promise<void> {
    this.statuses.forget(nodes);
    const cutAt = (await this.reachability.time()).getTime() - GRACE_MS + WRITING_MS;
    const { SUPERVISOR_CELL: cell } = this.config;
    const nodeIds = await this.reachability.agentsEnded(cell, { nodes, down: [], reason: AGENT_LEFT }, new Date(cutAt));
    if (nodeIds.length > 0) this.logger.warn({ nodes: nodeIds }, 'agents have closed their connections');
  }
}
