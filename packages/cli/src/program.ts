import { Command, CommanderError } from 'commander';
import { CommandError, EXIT, ProgramEnded } from './exit.js';
import { GROUPS } from './generated/groups.js';
import { OWN_COMMANDS } from './commands/index.js';
import { tell } from './output/output.js';
import { clockNotice } from './settings/clock.js';
import { RELEASE_WITH_COMMIT, releaseNotice } from './settings/release.js';
import { withVerb } from './short-forms.js';

/** What the scripts for shells call. No command for people. */
const COMPLETE = 'complete';
/** A word that is not an option, and its place: the group of the command. */
const groupOf = (words: readonly string[]): string | undefined => words.find((word) => !word.startsWith('-'));

/**
 * The command line. Only the group that the words name is loaded.
 * @param operators the commands of the server, where it is installed
 */
export async function createProgram(words: readonly string[], operators: readonly Command[] = []): Promise<Command> {
  const program = new Command('landlord').description('Landlord: a self-hosted cloud for a message-streaming broker.');
  const wanted = groupOf(words);
  program.version(RELEASE_WITH_COMMIT, '-V, --version', 'print the release');
  program.commandsGroup('Commands for users:');
  for (const [name, own] of Object.entries(OWN_COMMANDS).filter(([command]) => !command.includes(' ')))
    program.addCommand(wanted === name ? await ownCommand(own) : new Command(name).description(own.text));
  program.commandsGroup('Resources:');
  for (const [name, text] of Object.entries(GROUPS)) {
    const group = program
      .command(name)
      .description([...new Set([...ownVerbsOf(name), ...text.split(', ')])].join(', '));
    if (wanted === name) await addVerbs(group, name);
  }
  if (operators.length > 0) program.commandsGroup('Commands for operators:');
  for (const command of operators) program.addCommand(command);
  return program;
}

/** The commands of the group that are written by hand. */
const ownVerbsOf = (group: string): string[] =>
  Object.keys(OWN_COMMANDS).flatMap((name) => (name.startsWith(`${group} `) ? [name.slice(group.length + 1)] : []));

async function ownCommand(entry: (typeof OWN_COMMANDS)[string] | undefined): Promise<Command> {
  if (!entry) throw new TypeError('There is no such command.');
  const { withExamples } = await import('./help/examples.js');
  return withExamples(await entry.load(), entry.examples);
}

async function addVerbs(group: Command, name: string): Promise<void> {
  const { generatedCommands } = await import('./generated-command.js');
  for (const own of ownVerbsOf(name)) group.addCommand(await ownCommand(OWN_COMMANDS[`${name} ${own}`]));
  const all = generatedCommands(name).filter((command) => !ownVerbsOf(name).includes(command.name()));
  for (const command of all) group.addCommand(command);
}

/** Runs the words. Returns the exit code, after everything is printed. */
export async function run(typed: readonly string[], operators: readonly Command[] = []): Promise<number> {
  endWithReader();
  const words = withVerb(withoutHelp(typed));
  try {
    if (words[0] === COMPLETE) {
      const { complete } = await import('./completion/complete.js');
      await complete(words.slice(1), (before) => createProgram(before, operators));
      return EXIT.done;
    }
    const program = await createProgram(words, operators);
    for (const command of allOf(program)) command.exitOverride();
    await program.parseAsync(withProgram(words), { from: 'user' });
    await written();
    if (process.stderr.isTTY) tellNotices();
    return EXIT.done;
  } catch (error) {
    return failed(error);
  }
}

/** Says what went wrong and what to do next. Returns the exit code. */
async function failed(thrown: unknown): Promise<number> {
  // Commander has printed the help or the message.
  if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? EXIT.done : EXIT.usage;
  if (thrown instanceof ProgramEnded) return thrown.code;
  const { exitCodeOf, hintFor, innermost, isExplained } = await import('./explain-error.js');
  const error = isOfWrite(thrown) ? unwritable(thrown) : innermost(thrown);
  tell(isExplained(error) ? error.message : String((error as Error).stack ?? error));
  const hint = hintFor(error);
  if (hint !== null) tell(`try: ${hint}`);
  tellNotices();
  return exitCodeOf(error);
}

/** `landlord help deployments create` is `landlord deployments create --help`. */
export const withoutHelp = ([first, ...words]: readonly string[]): readonly string[] =>
  first === 'help' && words.length > 0 ? [...words, '--help'] : first === undefined ? [] : [first, ...words];

/** Everything is written. A file that cannot be written ends the process. */
const written = (): Promise<void> =>
  new Promise((resolve) => {
    process.stdout.write('', (error) => {
      if (!error) resolve();
    });
  });

/** A file is written at once, and a full disk ends the write itself. */
const isOfWrite = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && (error as NodeJS.ErrnoException).syscall === 'write';
const unwritable = ({ message }: Error): CommandError =>
  new CommandError(`The output cannot be written: ${message}`, EXIT.other);

/** Scripts that succeed do not need to know. */
function tellNotices(): void {
  for (const notice of [releaseNotice(), clockNotice()]) if (notice !== null) tell(notice);
}

/** Everything after `--exec` is the program with its own options. It becomes one value, as JSON. */
export function withProgram(words: readonly string[]): string[] {
  const at = words.indexOf('--exec');
  return at === -1 || at === words.length - 1
    ? [...words]
    : [...words.slice(0, at + 1), JSON.stringify(words.slice(at + 1))];
}

/** A reader such as `head` closes the pipe when it has enough. The work goes on when nobody reads the messages. */
function endWithReader(): void {
  process.stderr.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(EXIT.done);
    tell(unwritable(error).message);
    process.exit(EXIT.other);
  });
}

const allOf = (command: Command): Command[] => [command, ...command.commands.flatMap(allOf)];
