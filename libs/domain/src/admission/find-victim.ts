import type { Parties } from './parties.js';
import { PROGRESS, type Visit } from './visit.js';

/** Largest networks that are searched for a connection that gives way. */
const SEARCHED_NETWORKS = 16;
/** A network with few more connections than the new one gives way only after this many times the time of a handshake. */
const PATIENCE = 5;
const FEW = 2;

/**
 * A connection is young for this time. A caller speaks at once, but its process or ours may pause between the connection and the first
 * byte. So attackers who send a part of a request do not cut the callers of their network.
 */
const YOUNG_MS = 250;
/** Connections that are young give way after all others, the oldest first. */
const YOUNG = PROGRESS.answering;

/** The oldest connection with the least progress that is older than `ageMs`. Null: all are younger, or are being answered. */
export function oldestSilent(visits: Iterable<Visit>, nowMs: number, ageMs: number): Visit | null {
  let oldest: Visit | null = null;
  let least = Infinity;
  for (const visit of visits) {
    const [{ progress }, age] = [visit, nowMs - visit.sinceMs];
    if (progress === PROGRESS.answering || visit.isUnread || age < ageMs) continue;
    const rank = age < YOUNG_MS ? YOUNG : progress;
    if (rank === PROGRESS.nothing) return visit;
    if (rank < least) [oldest, least] = [visit, rank];
  }
  return oldest;
}

/** The connection of a caller that gives way to its newest one. `cutsAnswers`: also one that is being answered. */
export function oldestOfCaller(members: Iterable<Visit>, cutsAnswers: boolean): Visit | null {
  const silent = oldestSilent(members, Date.now(), 0);
  if (silent !== null || !cutsAnswers) return silent;
  const [oldest = null] = members;
  return oldest;
}

/** Whose place a new connection of `network` takes. `isProtected`: networks that give way to nobody. */
export function findVictim(
  unknown: Parties<Visit>,
  network: string,
  handshakeMs: number,
  isProtected: (network: string) => boolean,
): Visit | null {
  const [nowMs, networkSize] = [Date.now(), unknown.sizeOf(network)];
  let searched = 0;
  for (const { name, members } of unknown.largestFirst()) {
    if (isProtected(name)) continue;
    if ((searched += 1) > SEARCHED_NETWORKS) return null;
    const ageMs = members.size > networkSize + FEW ? handshakeMs : handshakeMs * PATIENCE;
    const victim = oldestSilent(members, nowMs, ageMs);
    if (victim) return victim;
  }
  return null;
}
