import { Injectable } from '@nestjs/common';
import { maskSecrets as maskSettings } from '@libs/broker/schema';
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
import { NodeBundles, type Told } from './node-bundles.js';
import { SnapshotFacts } from './snapshot-facts.js';
import { SnapshotLogs } from './snapshot-logs.js';
import { SnapshotSeries } from './snapshot-series.js';

/** The row of a node, its uploads, and their content. */
interface HeardNode {
  row: NodeFactsRow;
  own: CollectedNode;
  diagnostics: Told;
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
    const heard = await this.read(deploymentId, collected);
    const told = heard.map(({ row, diagnostics }) => ({ id: row.id, told: diagnostics.told }));
    const nodeIds = told.map(({ id: nodeId }) => nodeId);
    const snapshot = { id, name, created_at: createdAt.toISOString(), built_at: now.toISOString() };
    return {
      format: 1,
      snapshot: { ...snapshot, is_redacted: redactSecrets, wants_data: includeData },
      ...part,
      nodes: heard.map((node) => toNode(node, redactSecrets)),
      series: await this.series.of(deploymentId, nodeIds, now.getTime()),
      logs: await this.logs.of(deploymentId, told, redactSecrets),
    };
  }

  /** Returns the nodes in their order. */
  private async read(deploymentId: DeploymentId, collected: readonly CollectedNode[]): Promise<HeardNode[]> {
    const heard: HeardNode[] = [];
    for (const row of await this.rows.nodes(deploymentId)) {
      const own = collected.find(({ node_id: nodeId }) => nodeId === row.id) ?? joinedLater(row.id);
      heard.push({ row, own, diagnostics: await this.bundles.read(own) });
    }
    return heard;
  }
}

const joinedLater = (nodeId: NodeId): CollectedNode => ({
  node_id: nodeId,
  diagnostics: null,
  data: null,
  missing: 'the node joined after the start of the snapshot',
});

function toNode({ row, own, diagnostics }: HeardNode, isRedacted: boolean): ReportNode {
  const { told, missing } = diagnostics;
  const { last_seen_at: seen, unreachable_since: since, ...facts } = row;
  const words = isRedacted ? maskTexts(facts) : facts;
  return {
    ...words,
    last_seen_at: seen?.toISOString() ?? null,
    unreachable_since: since?.toISOString() ?? null,
    told: told && withoutLogs(told, isRedacted),
    missing: missing === null || !isRedacted ? missing : maskSecrets(missing),
    data_file: own.data === null ? null : dataFileName(row.name),
  };
}

/** Returns the file name in the archive. */
export const dataFileName = (nodeName: string): string => `broker-data-${fileNamePart(nodeName)}.zip`;

export const fileNamePart = (name: string): string => name.replaceAll(/[^A-Za-z0-9._-]+/g, '_');

/** The node masks by names. Only the schema defines which settings are secret, and the node does not have it. */
function withoutLogs({ logs: _, ...told }: NodeDiagnostics, isRedacted: boolean): ReportNode['told'] {
  const { broker_driver: driver, broker_wanted: release } = told.versions;
  if (!isRedacted || !isDriver(driver)) return told;
  return { ...told, config: { ...told.config, values: maskSettings(driver, release, told.config.values) } };
}

const isDriver = (name: string): name is BrokerDriver => (BROKER_DRIVERS as readonly string[]).includes(name);
