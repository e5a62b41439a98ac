import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { given } from '@libs/testing';
import { VERBS } from '../../../packages/cli/src/generated/verbs.js';
import type { Verb } from '../../../packages/cli/src/verb.js';
import { bundleCli } from '../../../scripts/clients/bundle-cli.mjs';
import { CELLS, describedPath, prepare, type Call, type Cell } from '../matrix/routes.js';
import { World } from '../matrix/world.js';
import type { Ended } from './command-line.js';

const ROOT = join(import.meta.dirname, '../../..');
/** Operation → route, as the list of the ids writes both. */
const ROUTES = new Map(
  readFileSync(join(ROOT, 'contract/operation-ids.txt'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(': ') as [string, string]),
);
/** `logs stream` is written by hand. */
const COMMANDS = Object.entries(VERBS)
  .flatMap(([group, verbs]) => verbs().map((verb) => ({ group, verb })))
  .filter(({ verb }) => verb.operation !== 'logs.stream');
const LEVEL_OPTIONS = { division_id: '--division', environment_id: '--environment', deployment_id: '--deployment' };
/** The exit code for the status that the API answers. A key on a route for sessions is refused. */
const EXITS: Readonly<Record<number, number>> = { 403: 5, 404: 4, 409: 6, 503: 1 };
const statusOf = ({ row }: Cell): number => (row.as === undefined ? row.status : 403);

/** Each command with valid input against real APIs: the words come from the table of commands, and the input from the matrix of routes. */
describe('Every command', () => {
  let world: World;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'landlord-cli-'));
    [world] = await Promise.all([World.start(), bundleCli(join(folder, 'bin'))]);
  });
  // Another command may have deleted the payment method.
  beforeEach(() => given.invoiceAgreement(world.cloud, world.cloud.installation.tenant_id));
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await world.stop();
  });

  /** Runs the command to its end, or to the first data of a stream. */
  async function run(words: readonly string[], { isStream = false } = {}): Promise<Ended> {
    const { tenant_id } = world.cloud.installation;
    const child = spawn(process.execPath, [join(folder, 'bin/main.js'), ...words], {
      cwd: folder,
      env: {
        ...{ HOME: folder, LANDLORD_URL: world.cloud.mainApi.url, LANDLORD_API_KEY: world.cloud.key },
        LANDLORD_TENANT_ID: String(tenant_id),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
      if (isStream) child.kill('SIGKILL');
    });
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })));
  }

  const isJson = (line: string): boolean => {
    try {
      return JSON.parse(line) !== undefined;
    } catch {
      return false;
    }
  };

  it('is in the table of routes', () => {
    const missing = COMMANDS.filter(({ verb }) => !cellOf(verb)).map(({ verb }) => verb.operation);

    expect(missing).toEqual([]);
  });

  it.each(COMMANDS.map(({ group, verb }) => [`${group} ${verb.name}`, group, verb] as const))(
    'is accepted: %s',
    async (_title, group, verb) => {
      const cell = cellOf(verb) as Cell;
      const words = wordsOf(group, verb, await prepare(cell, world));

      const { code, stdout, stderr } = await run(words, { isStream: verb.streams === true });

      const status = statusOf(cell);
      if (verb.streams) expect([stderr, isJson(stdout.split('\n', 1)[0] ?? '')]).toEqual([stderr, true]);
      else expect([code, stderr]).toEqual([EXITS[status] ?? 0, status < 300 ? '' : expect.stringMatching(/\(\w+\)\n/)]);
    },
  );
});

function cellOf({ operation }: Verb): Cell | undefined {
  const route = ROUTES.get(operation);
  return CELLS.find(({ app, method, path }) => `${app} ${method} ${describedPath(path)}` === route);
}

function wordsOf(group: string, verb: Verb, { path, ids, body }: Call): string[] {
  const query = new URL(path, 'http://localhost').searchParams;
  const levels = [...verb.levels].filter((one): one is keyof typeof LEVEL_OPTIONS => one in LEVEL_OPTIONS);
  return [
    ...[group, verb.name, ...verb.arguments.map(({ member }) => String(ids[member]))],
    ...levels.flatMap((level) => [LEVEL_OPTIONS[level], String(ids[level])]),
    ...[...query].flatMap(([name, value]) => [`--${name.replaceAll('_', '-')}`, value]),
    ...(verb.hasBody && body ? ['--body', JSON.stringify(body)] : []),
    ...(verb.deletes ? ['--yes'] : []),
    ...['-o', 'json'],
  ];
}
