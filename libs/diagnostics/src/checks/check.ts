import type { ReportNode, SnapshotData } from '../snapshot-data.js';

/** `unknown`: the node did not report the data that this check needs. */
export const VERDICTS = ['bad', 'warn', 'unknown', 'ok'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** The result of a check. */
export interface Finding {
  verdict: Verdict;
  /** The observation, for people. */
  seen: string;
}

/** One check of a snapshot. Pure. */
export interface Check {
  id: string;
  group: 'Nodes' | 'Resources' | 'Cluster' | 'Configuration' | 'Access' | 'Logs' | 'History' | 'Snapshot';
  name: string;
  /** The action to take when the verdict is not `ok`. */
  advice: string;
  look: (data: SnapshotData) => Finding;
}

/** The checks with their group. */
export const inGroup = (group: Check['group'], checks: readonly Omit<Check, 'group'>[]): readonly Check[] =>
  checks.map((check) => ({ ...check, group }));

export const ok = (seen: string): Finding => ({ verdict: 'ok', seen });
export const warn = (seen: string): Finding => ({ verdict: 'warn', seen });
export const bad = (seen: string): Finding => ({ verdict: 'bad', seen });
export const unknown = (seen: string): Finding => ({ verdict: 'unknown', seen });

/** The finding for one node. Null when the check does not apply. */
export type NodeLook = (node: ReportNode, data: SnapshotData) => Finding | null;

/** Runs the check on each node. Returns the worst verdict with the messages of all nodes that have it. */
export function eachNode(look: NodeLook, allWell: string): (data: SnapshotData) => Finding {
  return (data) => {
    const found = data.nodes.flatMap((node) => {
      const finding = look(node, data);
      return finding ? [{ node, finding }] : [];
    });
    if (found.length === 0) return unknown('No node reported data for this check.');
    const worst = VERDICTS.find((verdict) => found.some(({ finding }) => finding.verdict === verdict)) ?? 'ok';
    if (worst === 'ok') return ok(allWell);
    const words = found
      .filter(({ finding }) => finding.verdict === worst)
      .map(({ node, finding }) => `${node.name}: ${finding.seen}`);
    return { verdict: worst, seen: words.join('; ') };
  };
}

/** The same for the report of each node. A node without a report is skipped. */
export const eachReport = (
  look: (report: NonNullable<ReportNode['told']>, data: SnapshotData, node: ReportNode) => Finding | null,
  allWell: string,
): ((data: SnapshotData) => Finding) =>
  eachNode((node, data) => (node.told ? look(node.told, data, node) : null), allWell);

/** `bad` above `high`, `warn` above `raised`. */
export function against(value: number, raised: number, high: number, seen: string): Finding {
  if (value > high) return bad(seen);
  return value > raised ? warn(seen) : ok(seen);
}

/** The part in whole percent. */
export const percent = (part: number, whole: number): number => (whole > 0 ? Math.round((100 * part) / whole) : 0);

export const brokerOf = ({ runtimes }: ReportNode) => runtimes.find(({ runtime }) => runtime === 'broker');

/** Seconds from the time until the snapshot. */
export const age = (since: string, { snapshot }: SnapshotData): number =>
  (Date.parse(snapshot.built_at) - Date.parse(since)) / 1000;
