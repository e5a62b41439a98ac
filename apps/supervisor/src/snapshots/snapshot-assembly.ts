import { Injectable } from '@nestjs/common';
import { maskSecrets as maskSettings } from '@libs/broker-config';
import type { ReportNode, SnapshotData } from '@libs/diagnostics';
import {
  BROKER_DRIVERS,
  maskSecrets,
  maskTexts,
  type BrokerDriver,
  type NodeDiagnostics,
  type DeploymentId,
  type NodeId,
} from '@libs/domain';
import { DiagnosticFactsRepository, type NodeFactsRow, type TakenSnapshot } from '@libs/persistence/runtime';
import type { CollectedNode } from './collected-node.js';
import { NodeBundles, type ReceivedDiagnostics } from './node-bundles.js';
import { SnapshotFacts } from './snapshot-facts.js';
import { SnapshotLogs } from './snapshot-logs.js';
import { SnapshotSeries } from './snapshot-series.js';

/** The row of a node, its uploads, and their content. */
interface NodeOfSnapshot {
  row: NodeFactsRow;
  own: CollectedNode;
  diagnostics: ReceivedDiagnostics;
}

/** Combines the diagnostics of nodes with data from the database. */
@Injectable()
export class SnapshotAssembly {
  constructor(
    private readonly rows: DiagnosticFactsRepository,
    private readonly bundles: NodeBundles,
    private readonly facts: SnapshotFacts,
    private readonly logs: SnapshotLogs,
    private readonly series: SnapshotSeries,
  ) {}

  /** Returns null when the deployment no longer exists. Rejects when the store or the database cannot be read. */
  async assemble(
    deploymentId: DeploymentId,
    { id, name, createdAt, redactSecrets, includeData }: TakenSnapshot,
    collected: readonly CollectedNode[],
  ): Promise<SnapshotData | null> {
    const now = new Date();
    const part = await this.facts.of(deploymentId, redactSecrets);
    if (!part) return null;
    const collectedNodes = await this.read(deploymentId, collected);
    const nodes = collectedNodes.map(({ row, diagnostics }) => ({ id: row.id, received: diagnostics.received }));
    const nodeIds = nodes.map(({ id: nodeId }) => nodeId);
    const snapshot = { id, name, created_at: createdAt.toISOString(), built_at: now.toISOString() };
    return {
      format: 1,
      snapshot: { ...snapshot, is_redacted: redactSecrets, wants_data: includeData },
      ...part,
      nodes: collectedNodes.map((node) => toNode(node, redactSecrets)),
      series: await this.series.of(deploymentId, nodeIds, now.getTime()),
      logs: await this.logs.of(deploymentId, nodes, redactSecrets),
    };
  }

  /** Returns the nodes in their order. */
  private async read(deploymentId: DeploymentId, collected: readonly CollectedNode[]): Promise<NodeOfSnapshot[]> {
    const nodes: NodeOfSnapshot[] = [];
    for (const row of await this.rows.nodes(deploymentId)) {
      const part = collected.find(({ node_id: nodeId }) => nodeId === row.id) ?? joinedLater(row.id);
      nodes.push({ row, own: part, diagnostics: await this.bundles.read(part) });
    }
    return nodes;
  }
}

const joinedLater = (nodeId: NodeId): CollectedNode => ({
  node_id: nodeId,
  diagnostics: null,
  data: null,
  missing: 'the node joined after the start of the snapshot',
});

function toNode({ row, own, diagnostics }: NodeOfSnapshot, isRedacted: boolean): ReportNode {
  const { received, missing } = diagnostics;
  const { last_seen_at: lastSeenAt, unreachable_since: since, ...facts } = row;
  const words = isRedacted ? maskTexts(facts) : facts;
  return {
    ...words,
    last_seen_at: lastSeenAt?.toISOString() ?? null,
    unreachable_since: since?.toISOString() ?? null,
    told: received && withoutLogs(received, isRedacted),
    missing: missing === null || !isRedacted ? missing : maskSecrets(missing),
    data_file: own.data === null ? null : dataFileName(row.name),
  };
}

/** Returns the file name in the archive. */
export const dataFileName = (nodeName: string): string => `broker-data-${fileNamePart(nodeName)}.zip`;

export const fileNamePart = (name: string): string => name.replaceAll(/[^A-Za-z0-9._-]+/g, '_');

/** The node masks by names. Only the schema defines which settings are secret, and the node does not have it. */
function withoutLogs({ logs: _, ...received }: NodeDiagnostics, isRedacted: boolean): ReportNode['told'] {
  const { broker_driver: driver, broker_wanted: release } = received.versions;
  if (!isRedacted || !isDriver(driver)) return received;
  return { ...received, config: { ...received.config, values: maskSettings(driver, release, received.config.values) } };
}

const isDriver = (name: string): name is BrokerDriver => (BROKER_DRIVERS as readonly string[]).includes(name);
