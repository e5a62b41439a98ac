import { Argument, Command, Option } from 'commander';
import type { Landlord } from '@landlord/sdk';
import { CommandError, EXIT, usage } from './exit.js';
import { exampleOf, withExamples } from './help/examples.js';
import { withChoices } from './output/choices.js';
import { printEvents } from './output/events.js';
import { isForPeople, print, printFile } from './output/output.js';
import { cell } from './output/table.js';
import { withCommonOptions, withWait, type AnyOptions } from './common-options.js';
import { idsOf, isLevel, namedLevels, type Where } from './ids-of-verb.js';
import { answerOf, inOrder, listed, shapeOf } from './lists.js';
import { bodyOf, membersOf } from './members-of-verb.js';
import { methodNamed, type Call } from './method.js';
import { openSession } from './settings/session.js';
import { waitFor, type Followed, type OperationView } from './output/progress.js';
import { VERBS } from './generated/verbs.js';
import type { Verb, VerbOption } from './verb.js';

const KINDS = {
  text: '<text>',
  number: '<number>',
  flag: '[boolean]',
  texts: '<texts...>',
  numbers: '<numbers...>',
  json: '<json>',
};
const NAMED = { number: '<name or id>', numbers: '<names or ids...>' } as const;
const TIME_NAMES: Readonly<Record<string, string>> = {
  from: 'since',
  to: 'until',
  'expiry-at': 'expires-in',
  'valid-to': 'valid-for',
};
/** Options that every command has for a level of the organization. */
const OF_LEVELS = ['division', 'environment', 'deployment'];

/** The commands for the requests of a group. */
export const generatedCommands = (group: string): Command[] =>
  (VERBS[group]?.() ?? []).map((verb) => withExamples(generatedCommand(verb), [exampleOf(group, verb)]));

function generatedCommand(verb: Verb): Command {
  const command = new Command(verb.name).description(verb.text);
  for (const { member, text, finds } of verb.arguments) {
    const named = isLevel(member) ? ' The name or the id.' : finds ? ` The ${finds.by} or the id.` : '';
    command.addArgument(new Argument(`<${shortOf(member)}>`, `${text}${named}`));
  }
  for (const one of verb.options) command.addOption(optionOf(one));
  if (verb.hasBody) command.option('--body <json>', 'the members of the request as JSON, "@file", or "-" for stdin');
  if (verb.deletes) command.option('--yes', 'do not ask');
  if (verb.preview) command.option('--dry-run', 'show the result and its price, and change nothing');
  if (verb.waits) withWait(command);
  if (verb.keyed) command.option('--idempotency-key <key>', 'the same key repeats no change; default: a new key');
  return withCommonOptions(command).action(async (...given: unknown[]) => {
    const values = given.slice(0, verb.arguments.length) as string[];
    await runVerb(verb, values, command.opts<AnyOptions>());
  });
}

/** Sends the request, and prints the answer. Returns the answer of the request. */
export async function runVerb(verb: Verb, values: readonly string[], options: AnyOptions): Promise<unknown> {
  if (options.dryRun && !verb.preview) throw usage(`The API has no preview for ${verb.name}.`);
  const { landlord, places } = openSession(options);
  const where = { landlord, places };
  const all = await listed(verb, options, where);
  if (all) return print(all.items, options.output, await shapeOf(all.columns, options.output, places));
  const ids = { ...(await namedLevels(verb, options, places)), ...(await idsOf(verb, values, options, where)) };
  const input: Record<string, unknown> = {
    ...bodyOf(options.body),
    ...(await membersOf(verb, options, ids, where)),
  };
  if (options.dryRun && verb.preview) return showPreview(verb.preview, { landlord, input, ids }, options);
  if (verb.deletes) await confirm(verb, values, options);
  const call = methodOf(landlord, verb, options);
  if (verb.streams) {
    const open = (signal: AbortSignal) => call({ ...input, ...ids }, { signal }) as AsyncIterable<{ data: object }>;
    return printEvents(open, options.output, (data) => Object.values(data).map(cell).join('  '));
  }
  const followed = await answerOf(call, { ...input, ...ids }, callOptions(options));
  await printAnswer(verb, followed, options, where);
  return followed;
}

const callOptions = ({ idempotencyKey }: AnyOptions): object =>
  idempotencyKey === undefined ? {} : { idempotencyKey };

/** The answer, a file, or with `--wait` the operation after its end. */
async function printAnswer(verb: Verb, answer: unknown, options: AnyOptions, { places }: Where): Promise<void> {
  const { output, wait, timeout } = options;
  if (answer instanceof Uint8Array) return printFile(answer);
  if (!verb.waits || !wait) return print(inOrder(verb, answer), output, await shapeOf(verb.columns, output, places));
  const operation = await waitFor(answer as Followed, output, timeout);
  await print(isForPeople(output) ? resultOf(operation) : operation, output);
}

/** The steps were shown while they happened. */
const resultOf = ({ id, type, status, deployment_id, finished_at }: OperationView): object => ({
  ...{ id, type, status, deployment_id, finished_at },
});

/** What the request would do. */
async function showPreview(
  { operation, members }: NonNullable<Verb['preview']>,
  { landlord, input, ids }: { landlord: Landlord; input: Record<string, unknown>; ids: object },
  { output }: AnyOptions,
): Promise<void> {
  const shape = Object.fromEntries(members.map((member) => [member, input[member]]));
  await print(await methodNamed(landlord, operation)({ ...shape, ...ids }), output);
}

const methodOf = (landlord: Landlord, { operation, ofDivision }: Verb, options: AnyOptions): Call =>
  methodNamed(landlord, ofDivision && options.division !== undefined ? `${operation}InDivision` : operation);

function optionOf(one: VerbOption): Option {
  const { name, kind, choices, required, text } = one;
  const { flags, value } = namesOf(one) ?? timeNamesOf(one) ?? { flags: `--${name}`, value: KINDS[kind] };
  const option = new Option(`${flags} ${value}`, required ? `${text} (required)` : text);
  const isChoice = choices !== undefined && (kind === 'text' || kind === 'texts');
  return isChoice ? withChoices(option, choices, kind === 'texts') : option;
}

/** An option for the id of a resource has two names, `--role` and `--role-id`, and takes a name, too. */
function namesOf({ name, member, kind, level, finds }: VerbOption): { flags: string; value: string } | null {
  if ((level === undefined && finds === undefined) || (kind !== 'number' && kind !== 'numbers')) return null;
  const short = member.endsWith('_id') ? name.replace(/-id$/, '') : name;
  const isTaken = short === name || OF_LEVELS.includes(short);
  return { flags: isTaken ? `--${name}` : `--${short}, --${name}`, value: NAMED[kind] };
}

/** An option for a time has a second name that fits a duration, such as `--expires-in 90d`. */
function timeNamesOf({ name, time }: VerbOption): { flags: string; value: string } | null {
  if (time === undefined) return null;
  const other = TIME_NAMES[name];
  return { flags: other === undefined ? `--${name}` : `--${other}, --${name}`, value: '<date or duration>' };
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
