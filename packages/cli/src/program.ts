import { Command, CommanderError } from 'commander';
import { EXIT, ProgramEnded } from './exit.js';
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
    program.addCommand(wanted === name ? await own.load() : new Command(name).description(own.text));
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

async function addVerbs(group: Command, name: string): Promise<void> {
  const { generatedCommands } = await import('./generated-command.js');
  for (const own of ownVerbsOf(name))
    group.addCommand((await OWN_COMMANDS[`${name} ${own}`]?.load()) ?? new Command(own));
  const all = generatedCommands(name).filter((command) => !ownVerbsOf(name).includes(command.name()));
  for (const command of all) group.addCommand(command);
}

/** Runs the words. Returns the exit code, after everything is printed. */
export async function run(typed: readonly string[], operators: readonly Command[] = []): Promise<number> {
  endWithReader();
  const words = withVerb(typed);
  try {
    if (words[0] === COMPLETE) {
      const { complete } = await import('./completion/complete.js');
      await complete(words.slice(1), (before) => createProgram(before, operators));
      return EXIT.done;
    }
    const program = await createProgram(words, operators);
    for (const command of allOf(program)) command.exitOverride();
    await program.parseAsync(withProgram(words), { from: 'user' });
    if (process.stderr.isTTY) tellNotices();
    return EXIT.done;
  } catch (error) {
    // Commander has printed the help or the message.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    if (error instanceof ProgramEnded) return error.code;
    const { exitCodeOf, hintFor, isExplained } = await import('./explain-error.js');
    tell(isExplained(error) ? error.message : String((error as Error).stack ?? error));
    const hint = hintFor(error);
    if (hint !== null) tell(`try: ${hint}`);
    tellNotices();
    return exitCodeOf(error);
  }
}

/** Scripts that succeed do not need to know. */
function tellNotices(): void {
  for (const notice of [releaseNotice(), clockNotice()]) if (notice !== null) tell(notice);
}

/** Everything after `--exec` is the program with its own options. It becomes one value, as JSON. */
function withProgram(words: readonly string[]): string[] {
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
    if (error.code !== 'EPIPE') throw error;
    process.exit(EXIT.done);
  });
}

const allOf = (command: Command): Command[] => [command, ...command.commands.flatMap(allOf)];
