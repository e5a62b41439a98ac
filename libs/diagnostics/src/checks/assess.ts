import type { SnapshotData } from '../snapshot-data.js';
import { VERDICTS, type Check, type Verdict } from './check.js';
import { CLUSTER_CHECKS } from './cluster-checks.js';
import { CONFIG_CHECKS } from './config-checks.js';
import { HISTORY_CHECKS, LOG_CHECKS, SNAPSHOT_CHECKS } from './history-checks.js';
import { NODE_CHECKS } from './node-checks.js';
import { RESOURCE_CHECKS } from './resource-checks.js';

/** All checks of a snapshot. */
export const CHECKS: readonly Check[] = [
  ...[...NODE_CHECKS, ...RESOURCE_CHECKS, ...CLUSTER_CHECKS, ...CONFIG_CHECKS],
  ...[...LOG_CHECKS, ...HISTORY_CHECKS, ...SNAPSHOT_CHECKS],
];

/** A check with its finding, as in the report and in `data/checks.json`. */
export interface CheckResult {
  id: string;
  group: string;
  name: string;
  verdict: Verdict;
  seen: string;
  /** Null when the verdict is `ok`. */
  advice: string | null;
}

/** `trouble`: a check is `bad`. `attention`: a check is `warn`. */
export type Health = 'healthy' | 'attention' | 'trouble';

export interface Assessment {
  health: Health;
  counts: Record<Verdict, number>;
  /** The worst first, otherwise in the order of the catalogue. */
  results: CheckResult[];
}

/** Runs all checks on a snapshot. Pure. */
export function assess(data: SnapshotData): Assessment {
  const results = CHECKS.map(({ look, id, group, name, advice }): CheckResult => {
    const { verdict, seen } = look(data);
    return { id, group, name, verdict, seen, advice: verdict === 'ok' ? null : advice };
  });
  const count = (verdict: Verdict): number => results.filter((result) => result.verdict === verdict).length;
  const counts = { bad: count('bad'), warn: count('warn'), unknown: count('unknown'), ok: count('ok') };
  results.sort((a, b) => VERDICTS.indexOf(a.verdict) - VERDICTS.indexOf(b.verdict));
  const worst: Health = counts.warn > 0 ? 'attention' : 'healthy';
  return { health: counts.bad > 0 ? 'trouble' : worst, counts, results };
}
