import { Inject, Injectable } from '@nestjs/common';
import { CloudError, DESCRIBED_AT_ONCE, type Resource } from '@libs/cloud';
import type { NodeId } from '@libs/domain';
import { CellProcessesRepository } from '@libs/persistence/organization';
import {
  NodeRevivalsRepository,
  NodesRepository,
  RuntimesRepository,
  type DeploymentFacts,
  type NodeRow,
  type SilentNode,
  type SilentSearch,
} from '@libs/persistence/runtime';
import { Reconciler } from '@libs/workflow';
import { SUPERVISOR_CONFIG, type SupervisorConfig } from '../config.js';
import { DeploymentResources, placeOf } from '../lifecycle/index.js';
import { heartbeatMs } from '../platform/index.js';
import { NodeReplacement } from './node-replacement.js';

const LONGEST_PERIOD_MS = 5_000;
/** Three heartbeats: a running agent would have reported. */
const SILENT_SECONDS = 30;
const CALL_TIMEOUT_MS = 15_000;
/** Nodes that one pass requests again, and how many of them together. */
const REVIVALS = 50;
const TOGETHER = 5;
/** The first pause between the tries of a node whose agent ends at once. */
const ENDED_PAUSE_SECONDS = 2;
/** More silent nodes than one pass describes: a network or a region is the likely cause, so the calls are for looking. */
const REVIVALS_DURING_AN_OUTAGE = 3;

/** A silent node, with its rows and the provider's report. */
interface SilentNodeRows extends SilentNode {
  node: NodeRow;
  facts: DeploymentFacts;
}

/**
 * Keeps an agent running on every node of a serving deployment. A pass takes no input, describes nodes without recent
 * reports in one call for each cloud and account of a customer, and requests those from the provider again whose agent does not run. A running node
 * is not changed. A node is replaced only on proof: the provider reports that it has ended, or does not have it in two
 * looks that are 60 seconds apart. Tries of one node become rarer, and never delay the other nodes. No node is described
 * before its agent had time to report: one heartbeat after this process and a gateway of the cell have started.
 */
@Injectable()
export class NodeReconciler extends Reconciler {
  private readonly silentSeconds: number;
  private readonly startedAt = performance.now();

  constructor(
    private readonly nodes: NodesRepository,
    private readonly revivals: NodeRevivalsRepository,
    private readonly runtimes: RuntimesRepository,
    private readonly processes: CellProcessesRepository,
    private readonly resources: DeploymentResources,
    private readonly replacement: NodeReplacement,
    @Inject(SUPERVISOR_CONFIG) private readonly config: SupervisorConfig,
  ) {
    const silentSeconds = Math.min(SILENT_SECONDS, config.NODE_UNREACHABLE_SECONDS / 2);
    super('NodeReconciler', Math.min(LONGEST_PERIOD_MS, (silentSeconds * 1000) / 2));
    this.silentSeconds = silentSeconds;
  }

  /** Milliseconds since this process has started. */
  protected upMs(): number {
    return performance.now() - this.startedAt;
  }

  protected async pass(stopping: AbortSignal): Promise<void> {
    if (!(await this.mayActOnSilence())) return;
    const pauseSeconds = Math.min(LONGEST_PERIOD_MS / 1000, this.silentSeconds / 2);
    await this.reviveSome({ silentSeconds: this.silentSeconds, pauseSeconds }, stopping);
  }

  /** Requests nodes whose agents have ended for certain. No agent could report, so there is nothing to wait for. */
  async reviveEnded(ended: readonly NodeId[], stopping: AbortSignal): Promise<void> {
    await this.reviveSome({ silentSeconds: null, ended, pauseSeconds: ENDED_PAUSE_SECONDS }, stopping);
  }

  private async reviveSome(
    search: Pick<SilentSearch, 'silentSeconds' | 'pauseSeconds' | 'ended'>,
    stopping: AbortSignal,
  ): Promise<void> {
    const silentNodes = await this.revivals.take({
      cell: this.config.SUPERVISOR_CELL,
      limit: DESCRIBED_AT_ONCE,
      ...search,
    });
    const limit = silentNodes.length === DESCRIBED_AT_ONCE ? REVIVALS_DURING_AN_OUTAGE : REVIVALS;
    for (const silent of byAccount(await this.withRows(silentNodes)))
      await this.reviveAll(silent, limit, stopping).catch((error: unknown) => {
        this.logger.warn({ nodes: silent.length, error: String(error) }, 'silent nodes could not be described');
      });
  }

  private async mayActOnSilence(): Promise<boolean> {
    const heartbeat = heartbeatMs(this.config);
    const cell = this.config.SUPERVISOR_CELL;
    return this.upMs() >= heartbeat && this.processes.hasListened(cell, heartbeat / 1000);
  }

  private async withRows(silentNodes: readonly SilentNode[]): Promise<SilentNodeRows[]> {
    const nodes = new Map((await this.nodes.listOf(silentNodes.map(({ id }) => id))).map((node) => [node.id, node]));
    const facts = await this.runtimes.factsOf(silentNodes.map(({ deploymentId }) => deploymentId));
    return silentNodes.flatMap((silent) => {
      const rows = { node: nodes.get(silent.id), facts: facts.get(silent.deploymentId) };
      return rows.node && rows.facts ? [{ ...silent, node: rows.node, facts: rows.facts }] : [];
    });
  }

  /** Revives nodes of one cloud and account. Nodes beyond the limit of this pass are due in the next one. */
  private async reviveAll(silent: readonly SilentNodeRows[], limit: number, stopping: AbortSignal): Promise<void> {
    const resources = await this.resources.findNodes(silent, limited(stopping));
    const gone = silent.filter(({ id }) => !resources.has(id)).map(({ id }) => id);
    const proven = await this.revivals.note(
      silent.map(({ id }) => id),
      gone,
    );
    const dead = silent.filter((node) => isDead(node, resources.get(node.id), proven));
    let tried = 0;
    let isThrottled = false;
    while (tried < Math.min(limit, dead.length) && !isThrottled && !stopping.aborted) {
      const some = dead.slice(tried, Math.min(tried + TOGETHER, limit));
      tried += some.length;
      isThrottled = (await Promise.all(some.map((node) => this.tryOne(node, resources, stopping)))).includes(
        'throttled',
      );
    }
    await this.revivals.giveBack(dead.slice(tried).map(({ id }) => id));
  }

  private async tryOne(
    silent: SilentNodeRows,
    resources: ReadonlyMap<NodeId, Resource<'node'>>,
    stopping: AbortSignal,
  ): Promise<'tried' | 'throttled'> {
    const { id, deploymentId } = silent;
    try {
      await this.revive(silent, resources.get(id), stopping);
      return 'tried';
    } catch (error) {
      this.logger.warn({ node: id, deployment: deploymentId, error: String(error) }, 'node could not be ensured');
      return error instanceof CloudError && error.code === 'throttled' ? 'throttled' : 'tried';
    }
  }

  private async revive(
    { node, facts, isRegistered }: SilentNodeRows,
    resource: Resource<'node'> | undefined,
    stopping: AbortSignal,
  ): Promise<void> {
    const isLost = resource?.state === 'failed' || (resource === undefined && isRegistered);
    if (isLost) await this.replacement.fence(node, reasonOf(resource));
    const [current = node] = isLost ? await this.nodes.listOf([node.id]) : [];
    const { attributes } = await this.resources.ensureNode(facts, current, limited(stopping));
    // The provider may still end the earlier machine. A later pass sees the address of the new one.
    if (attributes.private_ip !== '' && attributes.private_ip !== current.private_ip)
      await this.replacement.publishAddress(current, facts, attributes);
    else if (isLost) await this.replacement.redirectClients(current);
  }
}

const reasonOf = (resource: Resource<'node'> | undefined): string =>
  resource?.reason ?? (resource ? 'the node has ended' : 'the node no longer exists');

/** The account of a customer can refuse Landlord. This stays without effect on the nodes of others. */
function byAccount(silent: readonly SilentNodeRows[]): SilentNodeRows[][] {
  const groups = new Map<string, SilentNodeRows[]>();
  for (const one of silent) {
    const { cloud, region, account } = placeOf(one.facts);
    const key = account === null ? cloud : JSON.stringify([cloud, region, account]);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()];
}

const limited = (stopping: AbortSignal): AbortSignal =>
  AbortSignal.any([stopping, AbortSignal.timeout(CALL_TIMEOUT_MS)]);

/**
 * Whether the provider is asked for the node. A missing node without an agent is asked for again without proof: no agent
 * acts for it, and the provider recognizes the repeated request.
 */
function isDead(
  { id, isRegistered }: SilentNode,
  resource: Resource<'node'> | undefined,
  proven: ReadonlySet<NodeId>,
): boolean {
  if (resource === undefined) return !isRegistered || proven.has(id);
  return resource.state === 'pending' || resource.state === 'failed';
}
