import { Injectable } from '@nestjs/common';
import type { ReportLine, ReportLog } from '@libs/diagnostics';
import { DIAGNOSTICS_LIMITS, LOG_RUNTIMES, maskSecrets, type NodeDiagnostics } from '@libs/domain';
import { Database } from '@libs/persistence';
import { DiagnosticFactsRepository, type LogFactsRow } from '@libs/persistence/runtime';

/** A node, and what it told; null for nothing. */
export interface TellingNode {
  id: number;
  told: NodeDiagnostics | null;
}

/** Last lines of nodes: their own where they told them, else what was stored of them. */
@Injectable()
export class SnapshotLogs {
  private readonly facts: DiagnosticFactsRepository;

  constructor(database: Database) {
    this.facts = new DiagnosticFactsRepository(database);
  }

  /** In the order of the nodes. One query for all that told nothing. */
  async of(deploymentId: number, nodes: readonly TellingNode[], isRedacted: boolean): Promise<ReportLog[]> {
    const silent = nodes.filter(({ told }) => told === null).map(({ id }) => id);
    const limit = DIAGNOSTICS_LIMITS.linesPerRuntime;
    const stored = silent.length === 0 ? [] : await this.facts.logs(deploymentId, silent, limit);
    return nodes.flatMap(({ id, told }) => (told ? ownLogs(id, told) : storedLogs(id, stored, isRedacted)));
  }
}

function storedLogs(nodeId: number, stored: readonly LogFactsRow[], isRedacted: boolean): ReportLog[] {
  // Known secrets were masked on the node before they were stored; what only looks like one is masked here.
  const clean = isRedacted ? maskSecrets : (text: string): string => text;
  return LOG_RUNTIMES.flatMap((runtime): ReportLog[] => {
    const rows = stored.filter((row) => row.node_id === nodeId && row.runtime === runtime);
    if (rows.length === 0) return [];
    const lines = rows.map(({ at, level, message }): ReportLine => [at.getTime(), level, clean(message)]);
    const isCut = rows.length === DIAGNOSTICS_LIMITS.linesPerRuntime;
    return [{ node_id: nodeId, runtime, source: 'database', is_cut: isCut, lines }];
  });
}

const ownLogs = (nodeId: number, { logs }: NodeDiagnostics): ReportLog[] =>
  logs.map(({ runtime, is_cut, lines }) => ({
    node_id: nodeId,
    runtime,
    source: 'node',
    is_cut,
    lines: lines.map(({ at, level, message }): ReportLine => [at, level, message]),
  }));
