// What people review of the command line: contract/cli-help.txt and contract/mcp-tools.txt. `npm run golden` writes them.
import type { Command } from 'commander';
import { COMMON } from '../src/common-options.js';
import { OWN_COMMANDS } from '../src/commands/index.js';
import { GROUPS } from '../src/generated/groups.js';
import { listOf, offered } from '../src/mcp/server.js';
import { WRITE_TOOLS, type WriteToolName } from '../src/mcp/write-tools.js';
import { createProgram } from '../src/program.js';

/** The command whose help has all options in the file. */
const SHOWS_ALL = 'landlord divisions list';
const EXAMPLES = '\nExamples:\n';
const ON_TOP = Object.keys(OWN_COMMANDS).filter((name) => !name.includes(' '));

/** Every command with its whole name. */
export async function allCommands(): Promise<[name: string, command: Command][]> {
  const all: [string, Command][] = [['landlord', await createProgram([])]];
  for (const name of [...ON_TOP, ...Object.keys(GROUPS)]) {
    const group = (await createProgram([name])).commands.find((one) => one.name() === name);
    if (!group) throw new TypeError(`There is no command ${name}.`);
    all.push(
      [`landlord ${name}`, group],
      ...group.commands.map((one): [string, Command] => [`landlord ${name} ${one.name()}`, one]),
    );
  }
  return all;
}

/** The help of every command. */
export async function helpText(): Promise<string> {
  const texts = (await allCommands()).map(([name, command]) => {
    let help = '';
    command
      .configureHelp({ helpWidth: 100 })
      .configureOutput({ writeOut: (text) => (help += text) })
      .outputHelp();
    const [options = '', examples] = help.split(EXAMPLES);
    // The same in every command, so one command shows them.
    const [own = ''] = name === SHOWS_ALL ? [options] : options.split(`${COMMON}\n`);
    return `$ ${name} --help\n${own.trimEnd()}\n${examples === undefined ? '' : `${EXAMPLES}${examples}`}`;
  });
  return texts.join('\n');
}

/** Every tool of `landlord mcp`, for a key that may do everything. */
export async function toolsText(): Promise<string> {
  const writeTools = Object.keys(WRITE_TOOLS) as WriteToolName[];
  const tools = await offered({ whoami: () => Promise.resolve({}), writeTools: () => Promise.resolve(writeTools) });
  return listOf(tools)
    .map((tool) => JSON.stringify(tool, null, 1))
    .join('\n');
}
