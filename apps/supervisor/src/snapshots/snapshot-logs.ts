import { Injectable } from '@nestjs/common';
import type { ReportLine, ReportLog } from '@libs/diagnostics';
import {
  DIAGNOSTICS_LIMITS,
  LOG_RUNTIMES,
  maskSecrets,
  type NodeDiagnostics,
  type DeploymentId,
  type NodeId,
} from '@libs/domain';
import { DiagnosticFactsRepository, type LogFactsRow } from '@libs/persistence/runtime';

/** A node with its diagnostics; null if there are none. */
export interface TellingNode {
  id: NodeId;
  received: NodeDiagnostics | null;
}

/** The last log lines of nodes: from their diagnostics, else from the database. */
@Injectable()
export class SnapshotLogs {
  constructor(private readonly facts: DiagnosticFactsRepository) {}

  /** Returns the logs in the order of the nodes. Runs one query for all nodes without diagnostics. */
  async of(deploymentId: DeploymentId, nodes: readonly TellingNode[], isRedacted: boolean): Promise<ReportLog[]> {
    const silent = nodes.filter(({ received }) => received === null).map(({ id }) => id);
    const limit = DIAGNOSTICS_LIMITS.linesPerRuntime;
    const stored = silent.length === 0 ? [] : await this.facts.logs(deploymentId, silent, limit);
    return nodes.flatMap(({ id, received }) => (received ? ownLogs(id, received) : storedLogs(id, stored, isRedacted)));
  }
}

function storedLogs(nodeId: NodeId, stored: readonly LogFactsRow[], isRedacted: boolean): ReportLog[] {
  // The node masked known secrets before storing. This masks texts that only look like secrets.
  const clean = isRedacted ? maskSecrets : (text: string): string => text;
  return LOG_RUNTIMES.flatMap((runtime): ReportLog[] => {
    const rows = stored.filter((row) => row.node_id === nodeId && row.runtime === runtime);
    if (rows.length === 0) return [];
    const lines = rows.map(({ at, level, message }): ReportLine => [at.getTime(), level, clean(message)]);
    const isCut = rows.length === DIAGNOSTICS_LIMITS.linesPerRuntime;
    return [{ node_id: nodeId, runtime, source: 'database', is_cut: isCut, lines }];
  });
}

const ownLogs = (nodeId: NodeId, { logs }: NodeDiagnostics): ReportLog[] =>
  logs.map(({ runtime, is_cut, lines }) => ({
    node_id: nodeId,
    runtime,
    source: 'node',
    is_cut,
    lines: lines.map(({ at, level, message }): ReportLine => [at, level, message]),
  }));
