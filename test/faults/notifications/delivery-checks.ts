import { isMatch, type PlayedChannel, type PlayedEvent } from './event-plan.js';
import type { Arrival } from './fickle-receiver.js';

/** A delivery as in its row. */
export interface DeliveryRow {
  channel_id: number;
  sequence: number;
  message_id: string;
  key: string;
  status: string;
  log: { at: string; ms: number }[];
}

export interface Story {
  events: readonly PlayedEvent[];
  channels: readonly PlayedChannel[];
  arrivals: readonly Arrival[];
  deliveries: readonly DeliveryRow[];
  /** Times in which a process was dead. */
  spells: readonly { from: number; until: number }[];
}

export interface Findings {
  /** Violations; empty if there are none. */
  broken: string[];
  /** Pairs of an event and a matching channel. */
  pairs: number;
  duplicates: number;
  /** First arrivals after a later one, each for an allowed reason. */
  overtaken: number;
}

/** Maximum time in which a delivery waits for the previous one. */
const HEAD_START_MS = 1_000;
/** A request of a killed process may be read up to this time after its death. */
const AFTERMATH_MS = 2_000;
/** Maximum reported violations of one kind. */
const SHOWN = 5;

/** Compares the arrivals and the rows with the expected deliveries. */
export function findBroken(story: Story): Findings {
  const findings: Findings = { broken: [], pairs: 0, duplicates: 0, overtaken: 0 };
  const arrivals = groupBy(story.arrivals, ({ path }) => path);
  const deliveries = groupBy(story.deliveries, ({ channel_id }) => channel_id);
  for (const channel of story.channels) {
    const came = arrivals.get(channel.path) ?? [];
    const rows = deliveries.get(channel.id) ?? [];
    const wanted = new Set(story.events.filter((event) => isMatch(event, channel)).map(({ key }) => key));
    const say = (what: string, which: readonly unknown[]): void => {
      if (which.length > 0)
        findings.broken.push(`${channel.path}: ${what}, ${which.length}: ${which.slice(0, SHOWN).join(', ')}`);
    };
    reachesAll(came, wanted, channel, say);
    isNumbered(rows, wanted, say);
    repeatsItself(came, rows, say);
    findings.overtaken += isInOrder(came, rows, story.spells, say);
    findings.pairs += wanted.size;
    findings.duplicates += came.length - new Set(came.map(({ key }) => key)).size;
  }
  const idsByKey = groupBy(story.arrivals, ({ key }) => key);
  for (const [key, same] of idsByKey)
    if (new Set(same.map(({ messageId }) => messageId)).size > 1) findings.broken.push(`${key} has several ids`);
  return findings;
}

type Say = (what: string, which: readonly unknown[]) => void;

function reachesAll(
  came: readonly Arrival[],
  wanted: ReadonlySet<string>,
  { tenantId }: PlayedChannel,
  say: Say,
): void {
  const keys = new Set(came.map(({ key }) => key));
  say(
    'never came',
    [...wanted].filter((key) => !keys.has(key)),
  );
  say(
    'came and was not meant for it',
    [...keys].filter((key) => !wanted.has(key)),
  );
  say('came of another tenant', came.filter((one) => one.tenantId !== tenantId).map(keyOf));
}

function isNumbered(rows: readonly DeliveryRow[], wanted: ReadonlySet<string>, say: Say): void {
  const sorted = rows.map(({ sequence }) => sequence).sort((a, b) => a - b);
  say(
    'has a gap or a repeat at the number',
    sorted.filter((sequence, at) => sequence !== at + 1),
  );
  if (rows.length !== wanted.size) say(`${rows.length} deliveries for events`, [wanted.size]);
  say('is not delivered', rows.filter(({ status }) => status !== 'delivered').map(keyOf));
}

/** Each sequence number belongs to one event with one id, at every attempt. */
function repeatsItself(came: readonly Arrival[], rows: readonly DeliveryRow[], say: Say): void {
  const known = new Map(rows.map(({ sequence, key, message_id }) => [sequence, `${key} ${message_id}`]));
  const strange = came.filter(({ sequence, key, messageId }) => known.get(sequence) !== `${key} ${messageId}`);
  say('came under another number or id', strange.map(keyOf));
}

/** Returns the number of deliveries that were overtaken for an allowed reason. */
function isInOrder(came: readonly Arrival[], rows: readonly DeliveryRow[], spells: Story['spells'], say: Say): number {
  const bySequence = new Map(rows.map((row) => [row.sequence, row]));
  const seen = new Set<number>();
  const wrong: number[] = [];
  let last = { sequence: 0, at: 0 };
  let overtaken = 0;
  for (const one of came) {
    if (seen.has(one.sequence)) continue;
    seen.add(one.sequence);
    if (one.sequence > last.sequence) {
      last = one;
      continue;
    }
    if (isExcused(one, last, bySequence.get(one.sequence), spells)) overtaken += 1;
    else wrong.push(one.sequence);
  }
  say('first came after a later one', wrong);
  return overtaken;
}

/** The first attempt did not reach the receiver or lasted the whole head start, or a process died during this time. */
function isExcused(one: Arrival, last: { at: number }, row: DeliveryRow | undefined, spells: Story['spells']): boolean {
  const [first] = row?.log ?? [];
  const isLate = first !== undefined && (Date.parse(first.at) + first.ms < one.at || first.ms >= HEAD_START_MS);
  return isLate || spells.some(({ from, until }) => from <= one.at && last.at <= until + AFTERMATH_MS);
}

const keyOf = ({ key }: { key: string }): string => key;

function groupBy<T, K>(items: readonly T[], by: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = by(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
