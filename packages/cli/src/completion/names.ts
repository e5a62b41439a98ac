import type { Landlord } from '@landlord/sdk';
import { itemsOf } from '../settings/finder.js';
import { VERBS } from '../generated/verbs.js';
import { allPlaces, type Level, type Places } from '../settings/places.js';
import type { Finder } from '../verb.js';
import { openSession, type CommonOptions } from '../settings/session.js';

export interface Named {
  value: string;
  text: string;
}

/** The names of a level, or the ids of the resources that a group lists. */
export type Wanted = { level: Level } | { finder: Finder } | { group: string; member: string };

/** A person who has pressed the key waits for no longer. */
const PATIENCE_MS = 1_500;
/** Options of the words that say where to ask. */
const PLACES = ['context', 'url', 'tenant', 'division', 'environment', 'deployment'] as const;

/** None when the API does not answer, or refuses. */
export async function namesFor(wanted: Wanted, words: readonly string[]): Promise<Named[]> {
  try {
    const options = optionsIn(words);
    const { landlord, places } = openSession(options, { timeoutMs: PATIENCE_MS, retries: 0 });
    if ('level' in wanted) return levelNames(await landlord.tenants.getStructure(), wanted.level);
    if ('finder' in wanted) return await namesOf(wanted.finder, landlord, places);
    const verb = VERBS[wanted.group]?.().find(({ name }) => name === 'list');
    if (!verb || verb.arguments.length > 0) return [];
    const ids = verb.levels.includes('deployment_id') ? await places.find('deployment') : {};
    return namedItems(await listOf(landlord, verb.operation, ids));
  } catch {
    return [];
  }
}

function levelNames(structure: Parameters<typeof allPlaces>[0], level: Level): Named[] {
  return allPlaces(structure, level).map(({ name, id, above }) => ({
    // A command takes a word with "-" for an option, such as a name that is "--body=@file".
    value: name.startsWith('-') ? String(id) : name,
    text: [above, name.startsWith('-') ? name : `id ${id}`].filter(Boolean).join(', '),
  }));
}

/** Names that a command takes, and the ids of those that it would take for an option or an id. */
async function namesOf(finder: Finder, landlord: Landlord, places: Places): Promise<Named[]> {
  const ids = finder.needs.includes('deployment_id') ? await places.find('deployment') : {};
  return (await itemsOf(landlord, finder, ids)).map((item) => {
    const name = String(item[finder.by]);
    const isId = /^(?:-|\d+$)/.test(name);
    return { value: isId ? String(item.id) : name, text: isId ? name : `id ${item.id}` };
  });
}

async function listOf(landlord: Landlord, operation: string, ids: object): Promise<unknown[]> {
  const [group = '', method = ''] = operation.split('.');
  const methods = (landlord as unknown as Record<string, Record<string, (input: object) => PromiseLike<unknown>>>)[
    group
  ];
  const answer = await methods?.[method]?.(ids);
  return Array.isArray(answer) ? (answer as unknown[]) : ((answer as { items?: unknown[] } | undefined)?.items ?? []);
}

function namedItems(items: readonly unknown[]): Named[] {
  return items.flatMap((item) => {
    const { id, name, type, status } = item as Record<string, unknown>;
    const text = [name, type, status].find((one): one is string => typeof one === 'string');
    return typeof id === 'number' ? [{ value: String(id), text: text ?? '' }] : [];
  });
}

/** The values of the options that say where to ask. */
function optionsIn(words: readonly string[]): CommonOptions {
  const given = PLACES.flatMap((name) => {
    const value = valueIn(words, `--${name}`) ?? (name === 'deployment' ? valueIn(words, '-d') : undefined);
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(given) as CommonOptions;
}

/** The value after the option, or in the same word. */
function valueIn(words: readonly string[], option: string): string | undefined {
  const at = words.findIndex((word) => word === option || word.startsWith(`${option}=`));
  return words[at] === option ? words[at + 1] : words[at]?.slice(option.length + 1);
}
