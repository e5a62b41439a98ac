import { Argument, Command, Option } from 'commander';
import type { Landlord } from '@landlord/sdk';
import { CommandError, EXIT, usage } from './exit.js';
import { printEvents } from './output/events.js';
import { print, tell } from './output/output.js';
import { cell } from './output/table.js';
import { withCommonOptions, type AnyOptions } from './common-options.js';
import { readInput } from './settings/read-input.js';
import { openSession } from './settings/session.js';
import type { PlaceIds, Places } from './settings/places.js';
import { waitFor, type Followed } from './output/progress.js';
import { VERBS } from './generated/verbs.js';
import type { Verb, VerbOption } from './verb.js';

/** Items that a list shows when the caller does not name a page. */
const MOST_ITEMS = 1_000;
const KINDS = {
  text: '<text>',
  number: '<number>',
  flag: '[boolean]',
  texts: '<texts...>',
  numbers: '<numbers...>',
  json: '<json>',
};
/** What an option for a level finds. */
const LEVEL_OF = { division_id: 'division', environment_id: 'environment', deployment_id: 'deployment' } as const;
type LevelMember = keyof typeof LEVEL_OF;
const isLevel = (member: string): member is LevelMember => member in LEVEL_OF;

type Call = (input: object, options?: object) => PromiseLike<unknown> & AsyncIterable<unknown>;

/** The commands for the requests of a group. */
export const generatedCommands = (group: string): Command[] => (VERBS[group]?.() ?? []).map(generatedCommand);

function generatedCommand(verb: Verb): Command {
  const command = new Command(verb.name).description(verb.text);
  for (const { member, text } of verb.arguments)
    command.addArgument(new Argument(`<${shortOf(member)}>`, isLevel(member) ? `${text} The name or the id.` : text));
  for (const one of verb.options) command.addOption(optionOf(one));
  if (verb.hasBody) command.option('--body <json>', 'the members of the request as JSON, "@file", or "-" for stdin');
  if (verb.deletes) command.option('--yes', 'do not ask');
  if (verb.preview) command.option('--dry-run', 'show the result and its price, and change nothing');
  if (verb.waits) command.option('--wait', 'wait until the operation of the request has ended');
  return withCommonOptions(command).action(async (...given: unknown[]) => {
    const values = given.slice(0, verb.arguments.length) as string[];
    await runVerb(verb, values, command.opts<AnyOptions>());
  });
}

/** Sends the request, and prints the answer. Returns the answer of the request. */
export async function runVerb(verb: Verb, values: readonly string[], options: AnyOptions): Promise<unknown> {
  if (options.dryRun && !verb.preview) throw usage(`The API has no preview for ${verb.name}.`);
  const { landlord, places } = openSession(options);
  const input: Record<string, unknown> = { ...bodyOf(options.body), ...membersOf(verb, options) };
  const ids = { ...(await namedLevels(verb, options, places)), ...(await idsOf(verb, values, options, places)) };
  if (options.dryRun && verb.preview) return showPreview(verb.preview, { landlord, input, ids }, options);
  if (verb.deletes) await confirm(verb, values, options);
  const call = methodOf(landlord, verb, options);
  if (verb.streams) {
    const open = (signal: AbortSignal) => call({ ...input, ...ids }, { signal }) as AsyncIterable<{ data: object }>;
    return printEvents(open, options.output, (data) => Object.values(data).map(cell).join('  '));
  }
  const followed = await answerOf(call, { ...input, ...ids });
  const value = verb.waits && options.wait ? await waitFor(followed as Followed, options.output) : followed;
  await print(value, options.output);
  return followed;
}

/** What the request would do. */
async function showPreview(
  { operation, members }: NonNullable<Verb['preview']>,
  { landlord, input, ids }: { landlord: Landlord; input: Record<string, unknown>; ids: object },
  { output }: AnyOptions,
): Promise<void> {
  const shape = Object.fromEntries(members.map((member) => [member, input[member]]));
  await print(await methodNamed(landlord, operation)({ ...shape, ...ids }), output);
}

const isPlain = (answer: ReturnType<Call>): boolean => !(Symbol.asyncIterator in answer);

/** A file, a page, a stream or JSON. */
async function answerOf(call: Call, input: object): Promise<unknown> {
  const answer = call(input);
  if (isPlain(answer)) {
    const value: unknown = await answer;
    return isFile(value) ? value.text() : value;
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

const isFile = (value: unknown): value is Pick<Response, 'text'> =>
  typeof value === 'object' && value !== null && 'text' in value && typeof value.text === 'function';

function methodOf(landlord: Landlord, { operation, ofDivision }: Verb, options: AnyOptions): Call {
  return methodNamed(landlord, ofDivision && options.division !== undefined ? `${operation}InDivision` : operation);
}

function methodNamed(landlord: Landlord, operation: string): Call {
  const [group = '', name = ''] = operation.split('.');
  const method = (landlord as unknown as Record<string, Record<string, Call>>)[group]?.[name];
  if (!method) throw new TypeError(`The SDK has no method ${operation}.`);
  return method;
}

/** The ids of the levels, and those that the arguments name. */
async function idsOf(verb: Verb, values: readonly string[], options: AnyOptions, places: Places): Promise<object> {
  const ids: Record<string, unknown> = {};
  const wanted = verb.levels.filter(isLevel);
  const deepest = [...wanted].sort((a, b) => depth(b) - depth(a))[0];
  if (deepest !== undefined) keep(ids, await places.find(LEVEL_OF[deepest]), wanted);
  if (verb.ofDivision && options.division !== undefined) keep(ids, await places.find('division'), ['division_id']);
  for (const [at, { member }] of verb.arguments.entries()) {
    const value = values[at] ?? '';
    if (isLevel(member)) keep(ids, await places.find(LEVEL_OF[member], value), [member, ...wanted]);
    else ids[member] = value;
  }
  return ids;
}

/** Levels that the person names, as filters and as members of the body. */
async function namedLevels(verb: Verb, options: AnyOptions, places: Places): Promise<object> {
  const ids: Record<string, unknown> = {};
  for (const [member, level] of Object.entries(LEVEL_OF) as [LevelMember, (typeof LEVEL_OF)[LevelMember]][]) {
    if (options[level] === undefined) continue;
    if (verb.filters?.includes(level)) ids[level] = (await places.find(level))[member];
    if (verb.options.some((one) => one.member === member)) ids[member] = (await places.find(level))[member];
  }
  return ids;
}

const depth = (member: LevelMember): number => Object.keys(LEVEL_OF).indexOf(member);
function keep(ids: Record<string, unknown>, found: PlaceIds, members: readonly LevelMember[]): void {
  for (const member of members) ids[member] = found[member];
}

function optionOf({ name, kind, choices, required, text }: VerbOption): Option {
  const option = new Option(`--${name} ${KINDS[kind]}`, required ? `${text} (required)` : text);
  if (choices && (kind === 'text' || kind === 'texts')) option.choices(choices);
  return option;
}

/** The members of the request that the options name. */
function membersOf(verb: Verb, options: AnyOptions): object {
  const members: Record<string, unknown> = {};
  for (const one of verb.options) {
    const given = options[camel(one.name)];
    if (given === undefined) continue;
    const value = valueOf(one, given);
    const [outer = '', inner] = one.member.split('.');
    if (inner === undefined) members[outer] = value;
    else members[outer] = { ...(members[outer] as object | undefined), [inner]: value };
  }
  return members;
}

function valueOf({ name, kind }: VerbOption, given: unknown): unknown {
  if (kind === 'number') return numberOf(name, given);
  if (kind === 'numbers') return (given as string[]).map((one) => numberOf(name, one));
  if (kind === 'flag') return booleanOf(name, given);
  return kind === 'json' ? jsonOf(`--${name}`, String(given)) : given;
}

function numberOf(name: string, given: unknown): number {
  const number = Number(given);
  if (String(given).trim() === '' || !Number.isFinite(number))
    throw usage(`--${name} must be a number, and is "${String(given)}".`);
  // JavaScript would send another number.
  if (Math.abs(number) > Number.MAX_SAFE_INTEGER) throw usage(`--${name} is "${String(given)}", which is too large.`);
  return number;
}

function booleanOf(name: string, given: unknown): boolean {
  if (given === true || given === 'true') return true;
  if (given === 'false') return false;
  throw usage(`--${name} is "${String(given)}". Use true or false.`);
}

function bodyOf(given: string | undefined): object {
  if (given === undefined) return {};
  const file = given === '-' ? given : /^@(.+)/.exec(given)?.[1];
  const value = jsonOf('--body', file === undefined ? given : readInput(file));
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw usage('--body must be a JSON object.');
}

function jsonOf(option: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw usage(`${option} is not JSON: ${(error as Error).message}`);
  }
}

/** A person types `yes`. A program has the option --yes. */
async function confirm(verb: Verb, values: readonly string[], { yes }: AnyOptions): Promise<void> {
  if (yes) return;
  const what = [verb.operation.split('.')[0], ...values].join(' ');
  if (!process.stdin.isTTY)
    throw usage(
      `Cannot ask for confirmation of "${verb.name} ${what}" without a terminal.`,
      'repeat the command with --yes',
    );
  const { ask } = await import('./output/ask.js');
  const answer = await ask(`Delete ${what}? Type yes: `);
  if (answer !== 'yes') throw new CommandError('Nothing was deleted.', EXIT.other);
}

const shortOf = (member: string): string => member.replace(/_id$/, '').replaceAll('_', '-');
/** The name of an option in the values of commander. */
export const camel = (name: string): string =>
  name.replaceAll(/-(\w)/g, (_all, letter: string) => letter.toUpperCase());
