import type { WaitingEvent } from '@libs/persistence/channels';

const LEVELS = ['deployment', 'environment', 'division'] as const;
/** Maximum lines of facts. The API has all of them. */
const MOST_ENTRIES = 20;
const LONGEST_VALUE = 300;

/**
 * Returns the text of an event below its subject: lines with its organization, division, environment and deployment, and the plain facts of its data. `Deployment:
 * orders (id 12)`, `Unreachable since: 2026-01-31T12:00:00.000Z`.
 */
export function contentOf(event: WaitingEvent): string {
  const resourceLines = LEVELS.flatMap((level) => {
    const resource = event[level];
    return resource
      ? [`${labelOf(level)}: ${resource.name === null ? '' : `${resource.name} `}(id ${resource.id})`]
      : [];
  });
  const named = new Set(LEVELS.map((level) => event[level]?.name));
  const facts = Object.entries(event.data)
    .filter(([name, value]) => !(name === 'name' && typeof value === 'string' && named.has(value)))
    .flatMap(([name, value]) => linesOf(labelOf(name), value));
  return [...resourceLines, ...facts.slice(0, MOST_ENTRIES)].map(printable).join('\n');
}

/** `node_id` → `Node id`. */
const labelOf = (name: string): string => {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** Lists members of an object with the name of the object: `From: tier: small`. Leaves empty values out. */
function linesOf(label: string, value: unknown): string[] {
  if (value === null || value === undefined || value === '') return [];
  if (Array.isArray(value)) return linesOf(label, value.filter(isPlain).join(', '));
  if (typeof value === 'object')
    return Object.entries(value).flatMap(([name, inner]) => linesOf(`${label}: ${name.replaceAll('_', ' ')}`, inner));
  return isPlain(value) ? [`${label}: ${shortened(`${value}`)}`] : [];
}

const isPlain = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);

const shortened = (text: string): string => (text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text);

/** A name that a user chose must never start its own line. */
const printable = (line: string): string => line.replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ');
