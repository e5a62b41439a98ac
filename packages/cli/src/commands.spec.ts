import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { COMMON } from './common-options.js';
import { OWN_COMMANDS } from './commands/index.js';
import { GROUPS } from './generated/groups.js';
import { VERBS } from './generated/verbs.js';
import { createProgram } from './program.js';

const ROOT = join(import.meta.dirname, '../../..');
/** The command whose help has all options in the file. */
const SHOWS_ALL = 'landlord divisions list';
const ON_TOP = Object.entries(OWN_COMMANDS).flatMap(([name, { isOnTop }]) => (isOnTop ? [name] : []));

/** Every command with its whole name. */
async function allCommands(): Promise<[name: string, command: Command][]> {
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

describe('The commands', () => {
  it('have one for every request of the API', () => {
    const requests = ['main-api', 'supervisor'].flatMap((app) => {
      const { paths } = JSON.parse(readFileSync(join(ROOT, `test/golden/openapi.${app}.json`), 'utf8')) as {
        paths: Record<string, Record<string, { operationId: string }>>;
      };
      return Object.values(paths).flatMap((item) => Object.values(item).map(({ operationId }) => operationId));
    });
    const called = Object.values(VERBS).flatMap((verbs) =>
      verbs().flatMap(({ operation, ofDivision }) =>
        ofDivision ? [operation, `${operation}InDivision`] : [operation],
      ),
    );

    expect(called.sort()).toEqual(requests.sort());
  });

  it('have different names, and no option twice', async () => {
    const names = (await allCommands()).map(([name]) => name);

    expect(names.length).toBeGreaterThan(230);
    expect(new Set(names).size).toBe(names.length);
  });

  it('explain themselves with --help', async () => {
    const texts = (await allCommands()).map(([name, command]) => {
      const help = command.configureHelp({ helpWidth: 100 }).helpInformation();
      // The same in every command, so one command shows them.
      const [own = ''] = name === SHOWS_ALL ? [help] : help.split(`${COMMON}\n`);
      return `$ ${name} --help\n${own.trimEnd()}\n`;
    });

    expect(texts.join('\n')).toBe(readFileSync(join(ROOT, 'packages/cli/test/help.txt'), 'utf8'));
  });
});
