import { Injectable } from '@nestjs/common';
import type { ReportLine, ReportLog } from '@libs/diagnostics';
import { DIAGNOSTICS_LIMITS, LOG_RUNTIMES, maskSecrets, type NodeDiagnostics } from '@libs/domain';
import { Database } from '@libs/persistence';
import { DiagnosticFactsRepository } from '@libs/persistence/runtime';

/** Last lines of nodes: their own where they told them, else what was stored of them. */
@Injectable()
export class SnapshotLogs {
  private readonly facts: DiagnosticFactsRepository;

  constructor(database: Database) {
    this.facts = new DiagnosticFactsRepository(database);
  }

  async of(deploymentId: number, nodeId: number, told: NodeDiagnostics | null, isRedacted: boolean) {
    return told ? ownLogs(nodeId, told) : this.stored(deploymentId, nodeId, isRedacted);
  }

  private async stored(deploymentId: number, nodeId: number, isRedacted: boolean): Promise<ReportLog[]> {
    const limit = DIAGNOSTICS_LIMITS.linesPerRuntime;
    const logs: ReportLog[] = [];
    for (const runtime of LOG_RUNTIMES) {
      const rows = await this.facts.logs(deploymentId, nodeId, runtime, limit);
      if (rows.length === 0) continue;
      // Known secrets were masked on the node before they were stored; what only looks like one is masked here.
      const clean = isRedacted ? maskSecrets : (text: string): string => text;
      const lines = rows.map(({ at, level, message }): ReportLine => [at.getTime(), level, clean(message)]);
      logs.push({ node_id: nodeId, runtime, source: 'database', is_cut: rows.length === limit, lines });
    }
    return logs;
  }
}

const ownLogs = (nodeId: number, { logs }: NodeDiagnostics): ReportLog[] =>
  logs.map(({ runtime, is_cut, lines }) => ({
    node_id: nodeId,
    runtime,
    source: 'node',
    is_cut,
    lines: lines.map(({ at, level, message }): ReportLine => [at, level, message]),
  }));
