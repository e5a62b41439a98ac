import type { Argument, Command, Option } from 'commander';
import { plain } from '../output/plain-text.js';
import { VERBS } from '../generated/verbs.js';
import { isLevel, levelOf } from '../ids-of-verb.js';
import type { Verb } from '../verb.js';
import { namesFor, type Named } from './names.js';

/** A word that can be next. */
export interface Candidate {
  value: string;
  text: string;
}

/** The program with the commands of the group that the words name. */
export type ProgramFor = (words: readonly string[]) => Promise<Command>;

/** Options whose values are names of levels. */
const LEVEL_OPTIONS = {
  '--division': 'division',
  '--environment': 'environment',
  '--deployment': 'deployment',
} as const;

/**
 * The words that can follow, in place of the last of these words. Names come from the API. Without an answer there are none: a person
 * who types must not wait for an error.
 */
export async function candidatesFor(words: readonly string[], programFor: ProgramFor): Promise<Candidate[]> {
  const typed = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const [command, rest] = await commandOf(before, programFor);
  const candidates = await nextOf(command, rest, typed, before);
  return candidates
    .filter(({ value }) => value.toLowerCase().startsWith(typed.toLowerCase()))
    .map(({ value, text }) => ({ value: plain(value), text: firstLine(plain(text)) }));
}

/** The deepest command that the words name, and the words after its name. */
async function commandOf(words: readonly string[], programFor: ProgramFor): Promise<[Command, string[]]> {
  let command = await programFor(words);
  let rest = [...words];
  for (;;) {
    const at = rest.findIndex((word) => !word.startsWith('-'));
    const next = command.commands.find((one) => one.name() === rest[at]);
    if (!next) return [command, rest];
    command = next;
    rest = rest.slice(at + 1);
  }
}

async function nextOf(
  command: Command,
  rest: readonly string[],
  typed: string,
  words: readonly string[],
): Promise<Named[]> {
  const open = openOption(command, rest);
  if (open) return valuesOf(command, open, words);
  const [, name] = /^(--[^=]+)=/.exec(typed) ?? [];
  if (name !== undefined) return valuesInWord(command, name, words);
  if (typed.startsWith('-')) return optionsOf(command);
  if (command.commands.length > 0)
    return command.commands.map((one) => ({ value: one.name(), text: one.description() }));
  const argument = argumentAt(command, rest);
  return argument ? valuesOfArgument(command, argument, words) : [];
}

/** The option that the last word names, if the option needs a value. */
const openOption = ({ options }: Command, rest: readonly string[]): Option | undefined =>
  options.find((one) => one.required && isNamed(one, rest.at(-1)));

/** The values of `--option=`, each as the whole word. */
async function valuesInWord(command: Command, name: string, words: readonly string[]): Promise<Named[]> {
  const option = openOption(command, [name]);
  const values = option ? await valuesOf(command, option, words) : [];
  return values.map(({ value, text }) => ({ value: `${name}=${value}`, text }));
}

const isNamed = ({ long, short }: Option, word: string | undefined): boolean =>
  word !== undefined && (word === long || word === short);

const optionsOf = (command: Command): Named[] =>
  command.options
    .filter(({ hidden }) => !hidden)
    .map(({ long, flags, description }) => ({ value: long ?? flags, text: description }));

/** The argument that comes after the words of the options and the earlier arguments. */
function argumentAt(command: Command, rest: readonly string[]): Argument | undefined {
  const given = rest.filter((word, at) => !word.startsWith('-') && !openOption(command, rest.slice(0, at)));
  const all = command.registeredArguments;
  return all[given.length] ?? (all.at(-1)?.variadic ? all.at(-1) : undefined);
}

/** The verb of the API that the command sends. */
const verbOf = (command: Command): Verb | undefined =>
  VERBS[command.parent?.name() ?? '']?.().find(({ name }) => name === command.name());

async function valuesOf(command: Command, option: Option, words: readonly string[]): Promise<Named[]> {
  if (option.argChoices) return option.argChoices.map((value) => ({ value, text: '' }));
  const level = LEVEL_OPTIONS[option.long as keyof typeof LEVEL_OPTIONS];
  if (level !== undefined) return namesFor({ level }, words);
  const member = verbOf(command)?.options.find(({ name }) => `--${name}` === option.long);
  if (member?.level !== undefined && isLevel(member.level)) return namesFor({ level: levelOf(member.level) }, words);
  return member?.finds ? namesFor({ finder: member.finds }, words) : [];
}

async function valuesOfArgument(command: Command, argument: Argument, words: readonly string[]): Promise<Named[]> {
  if (argument.argChoices) return argument.argChoices.map((value) => ({ value, text: '' }));
  const name = argument.name();
  if (name === 'division' || name === 'environment' || name === 'deployment') return namesFor({ level: name }, words);
  const finder = verbOf(command)?.arguments.find(
    ({ member }) => member.replace(/_id$/, '').replaceAll('_', '-') === name,
  )?.finds;
  if (finder) return namesFor({ finder }, words);
  const group = command.parent?.name() ?? '';
  return namesFor({ group, member: name }, words);
}

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';
