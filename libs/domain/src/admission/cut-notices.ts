import type { CutReason, OnCut } from './newcomer.js';

/** A line of the log about the connections that limits have cut since the line before. */
export interface CutNotice {
  connections: number;
  reasons: Partial<Record<CutReason, number>>;
  /** The network or the caller of the last one. */
  last: string;
}

const QUIET_MS = 60_000;

/** One line for the first cut connection, then one a minute at most, so that a flood does not fill the log. */
export function cutNotices(say: (notice: CutNotice) => void): OnCut {
  let saidAtMs = -Infinity;
  let since: CutNotice = { connections: 0, reasons: {}, last: '' };
  return (reason, last) => {
    since = {
      connections: since.connections + 1,
      reasons: { ...since.reasons, [reason]: (since.reasons[reason] ?? 0) + 1 },
      last,
    };
    if (Date.now() - saidAtMs < QUIET_MS) return;
    saidAtMs = Date.now();
    say(since);
    since = { connections: 0, reasons: {}, last: '' };
  };
}
