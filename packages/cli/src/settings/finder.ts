import type { Landlord } from '@landlord/sdk';
import { CommandError, EXIT, usage } from '../exit.js';
import { methodNamed } from '../method.js';
import type { Finder } from '../verb.js';

const IS_ID = /^\d+$/;
/** Groups of commands whose name is not that of the SDK. */
const kebab = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const GROUPS: Readonly<Record<string, string>> = { accessRules: 'rules', apiKeys: 'keys' };

/**
 * The id of the resource that a person names. A number is an id.
 * @param ids the levels of the organization, and resources, that the list is in
 * @throws CommandError for an unknown name, and for a name of several
 */
export async function idNamed(landlord: Landlord, finder: Finder, name: string, ids: object): Promise<number> {
  if (IS_ID.test(name)) return Number(name);
  const items = await itemsOf(landlord, finder, ids);
  const matching = items.filter((item) => String(item[finder.by]).toLowerCase() === name.toLowerCase());
  const [first] = matching;
  if (first !== undefined && matching.length === 1) return first.id;
  const [group = ''] = finder.list.split('.');
  const hint = `landlord ${GROUPS[group] ?? kebab(group)} list`;
  const listed = kebab(group).replaceAll('-', ' ');
  if (first === undefined) throw new CommandError(`There is no "${name}" among the ${listed}.`, EXIT.notFound, hint);
  throw usage(`"${name}" names several of the ${listed}: ${matching.map(({ id }) => id).join(', ')}.`, 'use the id');
}

const isPages = (answer: PromiseLike<unknown>): boolean => Symbol.asyncIterator in answer;

export type Item = { id: number } & Record<string, unknown>;

/** Everything that the finder looks through. */
export async function itemsOf(landlord: Landlord, { list, needs }: Finder, ids: object): Promise<Item[]> {
  const input = Object.fromEntries(Object.entries(ids).filter(([member]) => needs.includes(member)));
  const answer = methodNamed(landlord, list)(input);
  if (!isPages(answer)) return (await answer) as Item[];
  const items: Item[] = [];
  for await (const item of answer) items.push(item as Item);
  return items;
}
