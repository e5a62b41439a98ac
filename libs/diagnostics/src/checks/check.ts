import type { ReportNode, SnapshotData } from '../snapshot-data.js';

/** `unknown`: what would tell was not told. */
export const VERDICTS = ['bad', 'warn', 'unknown', 'ok'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** What a check found. */
export interface Finding {
  verdict: Verdict;
  /** What was seen, for people. */
  seen: string;
}

/** One question to a snapshot. Pure. */
export interface Check {
  id: string;
  group: 'Nodes' | 'Resources' | 'Cluster' | 'Configuration' | 'Access' | 'Logs' | 'History' | 'Snapshot';
  name: string;
  /** What to do when it is not as it should be. */
  advice: string;
  look: (data: SnapshotData) => Finding;
}

export const ok = (seen: string): Finding => ({ verdict: 'ok', seen });
export const warn = (seen: string): Finding => ({ verdict: 'warn', seen });
export const bad = (seen: string): Finding => ({ verdict: 'bad', seen });
export const unknown = (seen: string): Finding => ({ verdict: 'unknown', seen });

/** What one node is found to be; null where the question does not arise. */
export type NodeLook = (node: ReportNode, data: SnapshotData) => Finding | null;

/** Asks every node; the worst answer is the answer, in the words of all who gave it. */
export function eachNode(look: NodeLook, allWell: string): (data: SnapshotData) => Finding {
  return (data) => {
    const found = data.nodes.flatMap((node) => {
      const finding = look(node, data);
      return finding ? [{ node, finding }] : [];
    });
    if (found.length === 0) return unknown('No node could be asked.');
    const worst = VERDICTS.find((verdict) => found.some(({ finding }) => finding.verdict === verdict)) ?? 'ok';
    if (worst === 'ok') return ok(allWell);
    const words = found
      .filter(({ finding }) => finding.verdict === worst)
      .map(({ node, finding }) => `${node.name}: ${finding.seen}`);
    return { verdict: worst, seen: words.join('; ') };
  };
}

/** Above `high` it is bad, above `raised` a warning. */
export function against(value: number, raised: number, high: number, seen: string): Finding {
  if (value > high) return bad(seen);
  return value > raised ? warn(seen) : ok(seen);
}

/** Whole percent of a part. */
export const percent = (part: number, whole: number): number => (whole > 0 ? Math.round((100 * part) / whole) : 0);
