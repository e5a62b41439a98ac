import type { Landlord } from '@landlord/sdk';
import type { AnyOptions } from './common-options.js';
import { hasMethod } from './method.js';
import { idNamed } from './settings/finder.js';
import type { Level, PlaceIds, Places } from './settings/places.js';
import type { Finder, Verb } from './verb.js';

/** What an option for a level finds. */
const LEVEL_OF = { division_id: 'division', environment_id: 'environment', deployment_id: 'deployment' } as const;
type LevelMember = keyof typeof LEVEL_OF;
export const isLevel = (member: string): member is LevelMember => member in LEVEL_OF;
/** The level whose ids a member has. */
export const levelOf = (member: LevelMember): Level => LEVEL_OF[member];

export interface Where {
  landlord: Landlord;
  places: Places;
}

/** The ids of the levels, and those that the arguments name. An argument that is a level knows the levels above it. */
export async function idsOf(
  verb: Verb,
  values: readonly string[],
  options: AnyOptions,
  where: Where,
): Promise<Record<string, unknown>> {
  const ids = await idsOfLevels(verb, values, where.places);
  const isOfDivision = verb.ofDivision === true && options.division !== undefined;
  if (isOfDivision) keep(ids, await where.places.find('division'), ['division_id']);
  for (const [at, { member, finds }] of verb.arguments.entries()) {
    if (isLevel(member)) continue;
    const value = values[at] ?? '';
    const list = finds && (isOfDivision ? inDivision(finds, where.landlord) : finds);
    ids[member] = list ? await idNamed(where.landlord, list, value, ids) : value;
  }
  return ids;
}

async function idsOfLevels(verb: Verb, values: readonly string[], places: Places): Promise<Record<string, unknown>> {
  const ids: Record<string, unknown> = {};
  const levels = verb.levels.filter(isLevel);
  const at = verb.arguments.findIndex(({ member }) => isLevel(member));
  const member = verb.arguments[at]?.member ?? '';
  const deepest = deepestOf(verb);
  if (isLevel(member)) keep(ids, await places.find(LEVEL_OF[member], values[at]), [member, ...levels]);
  else if (deepest !== undefined) keep(ids, await places.find(LEVEL_OF[deepest]), levels);
  return ids;
}

/** The same list of one division, if the API has it. */
function inDivision(finder: Finder, landlord: Landlord): Finder {
  const list = `${finder.list}InDivision`;
  return hasMethod(landlord, list) ? { ...finder, list, needs: [...finder.needs, 'division_id'] } : finder;
}

/** The deepest level that the path of the request names. */
export const deepestOf = (verb: Verb): LevelMember | undefined =>
  verb.levels.filter(isLevel).sort((a, b) => depth(b) - depth(a))[0];

/** Levels that the person names, as filters and as members of the body. */
export async function namedLevels(verb: Verb, options: AnyOptions, places: Places): Promise<object> {
  const ids: Record<string, unknown> = {};
  for (const [member, level] of Object.entries(LEVEL_OF) as [LevelMember, Level][]) {
    if (options[level] === undefined) continue;
    if (verb.filters?.includes(level)) ids[level] = (await places.find(level))[member];
    if (verb.options.some((one) => one.member === member)) ids[member] = (await places.find(level))[member];
  }
  return ids;
}

const depth = (member: LevelMember): number => Object.keys(LEVEL_OF).indexOf(member);
function keep(ids: Record<string, unknown>, place: PlaceIds, members: readonly LevelMember[]): void {
  for (const member of members) ids[member] = place[member];
}
