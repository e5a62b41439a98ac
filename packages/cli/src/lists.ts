import type { AnyOptions } from './common-options.js';
import { LandlordError } from '@landlord/sdk';
import { deepestOf, levelOf, type Where } from './ids-of-verb.js';
import { membersOf } from './members-of-verb.js';
import { methodNamed, type Call } from './method.js';
import type { Column, Shape } from './output/columns.js';
import { isForPeople, tell, type Format } from './output/output.js';
import type { PlaceIds, Places } from './settings/places.js';
import type { Verb } from './verb.js';

/** Items that a list shows when the caller does not name a page. */
const MOST_ITEMS = 1_000;

interface Listed {
  items: unknown[];
  columns: readonly Column[];
}

/**
 * The items of a list of every division or environment that the person may see, if nothing chooses one of several. Null: the list is
 * in one place.
 */
export async function listed(verb: Verb, options: AnyOptions, where: Where): Promise<Listed | null> {
  const deepest = deepestOf(verb);
  if (verb.name !== 'list' || !verb.columns || deepest === undefined || deepest === 'deployment_id') return null;
  const { landlord, places } = where;
  if (places.isChosen(levelOf(deepest))) return null;
  const inside = await places.within(levelOf(deepest));
  if (inside.length === 1) return null;
  const input = await membersOf(verb, options, {}, where);
  if (verb.all !== undefined) {
    const items = (await answerOf(methodNamed(landlord, verb.all), input)) as PlaceIds[];
    const visible = places.isChosen('division') ? items.filter((item) => isIn(inside, item)) : items;
    return { items: visible, columns: verb.columns };
  }
  const call = methodNamed(landlord, verb.operation);
  const lists = await Promise.all(inside.map(async (ids) => withIds(await answerOf(call, { ...input, ...ids }), ids)));
  return { items: lists.flat(), columns: withLevels(verb, verb.columns) };
}

const isIn = (places: readonly PlaceIds[], item: PlaceIds): boolean =>
  places.some(({ environment_id }) => environment_id === item.environment_id);
const withIds = (items: unknown, ids: PlaceIds): unknown[] => (items as object[]).map((item) => ({ ...item, ...ids }));

/** The levels come behind the name. */
function withLevels({ levels }: Verb, columns: readonly Column[]): Column[] {
  const above = levels.filter((level) => level !== 'tenant_id' && columns.every(({ member }) => member !== level));
  const at = columns.findIndex(({ member }) => member === 'name') + 1;
  return columns.toSpliced(at, 0, ...above.map((member): Column => ({ member, kind: 'place' })));
}

/** How an answer is shown. The names of levels are read for a person only, and a key that may not read them sees their ids. */
export async function shapeOf(columns: Verb['columns'], format: Format, places: Places): Promise<Shape> {
  if (!columns?.some(({ kind }) => kind === 'place') || !isForPeople(format)) return { columns };
  try {
    return { columns, nameOf: await places.names() };
  } catch (error) {
    if (error instanceof LandlordError) return { columns };
    throw error;
  }
}

const isPlain = (answer: ReturnType<Call>): boolean => !(Symbol.asyncIterator in answer);

/** A file, a page, a stream or JSON. */
export async function answerOf(call: Call, input: object, options: object = {}): Promise<unknown> {
  const answer = call(input, options);
  if (isPlain(answer)) {
    const value: unknown = await answer;
    return isFile(value) ? bytesOf(value) : value;
  }
  if ('page' in input || 'results' in input) return ((await answer) as { items: unknown[] }).items;
  const items: unknown[] = [];
  for await (const item of answer) {
    items.push(item);
    if (items.length < MOST_ITEMS) continue;
    tell(`Only the first ${MOST_ITEMS} are shown. Use --page and --results.`);
    break;
  }
  return items;
}

type File = Pick<Response, 'arrayBuffer'>;
const isFile = (value: unknown): value is File =>
  typeof value === 'object' && value !== null && 'arrayBuffer' in value && typeof value.arrayBuffer === 'function';
const bytesOf = async (file: File): Promise<Uint8Array> => new Uint8Array(await file.arrayBuffer());

/** The API has the newest lines first, and a person reads a log from the oldest to the newest. */
export const inOrder = ({ operation }: Verb, answer: unknown): unknown =>
  operation === 'logs.list' && Array.isArray(answer) ? (answer as unknown[]).toReversed() : answer;
