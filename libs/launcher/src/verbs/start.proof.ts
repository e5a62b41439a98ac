import { once } from 'node:events';
import { statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { compileLauncher, type CompiledLauncher } from '../../test/compiled-launcher.js';
import { FAKE_MIGRATIONS } from '../../test/fake-migrations.js';
import { LauncherBench } from '../../test/launcher-process.js';
import { isDatabaseAlive } from '../embedded-postgres/ensure-database.js';
import { isAlive, until } from '@libs/host/os';

const UP = 'Press Ctrl-C to stop Landlord.';

describe('the launcher', () => {
  let build: CompiledLauncher;
  let bench: LauncherBench;

  beforeAll(() => {
    build = compileLauncher(FAKE_MIGRATIONS);
  });
  afterAll(() => build.remove());
  beforeEach(async () => {
    bench = await LauncherBench.open(build);
  });
  afterEach(() => bench.close());

  it('shows the key once, with a command to copy, and stores it in a file for the owner only', async () => {
    const first = bench.launch();
    await first.says(UP);
    first.kill('SIGTERM');
    await first.ended();
    const second = bench.launch();
    await second.says(UP);

    expect(first.output).toMatch(/shows them only now[\s\S]*ld_a_b_c[\s\S]*correct horse/);
    expect(second.output).not.toMatch(/correct horse|ld_a_b_c/);
    for (const { output } of [first, second]) {
      expect(output).toContain(`http://localhost:${bench.ports.main}/docs`);
      expect(output).toContain(`http://localhost:${bench.ports.supervisor}/docs`);
      expect(output).toContain(`  ${bench.path('bin/landlord')} deployments create --starter --wait`);
    }
    expect(JSON.parse(bench.read('bootstrap.json'))).toEqual({
      main_api_url: `http://localhost:${bench.ports.main}`,
      supervisor_url: `http://localhost:${bench.ports.supervisor}`,
      tenant_id: 1,
      division_id: 2,
      environment_id: 3,
      api_key: 'ld_a_b_c',
      owner_email: 'owner@landlord.local',
      owner_password: 'correct horse',
    });
    for (const name of ['bootstrap.json', 'secret-keys', 'logs/main-api.log', 'logs/postgres.log']) {
      expect(`${name} ${(statSync(bench.path(name)).mode & 0o777).toString(8)}`).toBe(`${name} 600`);
    }
    expect(bench.read('secret-keys')).toMatch(/^k1:[A-Za-z0-9+/]{43}=\n$/);
  });

  it('shows a link that signs the owner in at each start, unless other machines reach the main API', async () => {
    const link = `http://localhost:${bench.ports.main}/console/welcome#first-token`;
    for (const [settings, isShown] of [
      [{}, true],
      [{}, true],
      [{ MAIN_API_HOST: '0.0.0.0' }, false],
    ] as const) {
      const launcher = bench.launch('start', settings);
      await launcher.says(UP);
      launcher.kill('SIGTERM');
      await launcher.ended();

      expect(launcher.output.includes(link)).toBe(isShown);
      expect(launcher.output.includes('first-token')).toBe(isShown);
      expect(launcher.output.includes('Open the console as owner@landlord.local.')).toBe(isShown);
    }
  });

  it('passes settings to the apps by environment and secrets by file', async () => {
    const keys = `k9:${Buffer.alloc(32, 7).toString('base64')}`;
    const launcher = bench.launch('start', {
      LANDLORD_SECRET_KEYS: keys,
      BOOTSTRAP_API_KEY: 'ld_x_y_z',
      RATE_LIMIT: '5',
    });
    await launcher.says(UP);

    const response = await fetch(`http://127.0.0.1:${bench.ports.supervisor}/environment`);
    const { argv, env } = (await response.json()) as { argv: string[]; env: Record<string, string> };

    expect(argv).toContain(`--landlord-app=${bench.installation()}`);
    expect(env).toMatchObject({
      LANDLORD_DATA_DIR: bench.dataDir,
      GATEWAY_PORT: String(bench.ports.gateway),
      RATE_LIMIT: '5',
    });
    expect(env['DATABASE_URL']).toMatch(/^postgres:/);
    expect(JSON.stringify([argv, env])).not.toMatch(/ld_x_y_z|k9:/);
    expect(bench.read('secret-keys.given').trim()).toBe(keys);
    expect(JSON.parse(bench.read('bootstrap.json')).api_key).toBe('ld_x_y_z');
    launcher.kill('SIGTERM');
    await launcher.ended();
    expect(() => bench.read('secret-keys.given')).toThrow(/ENOENT/);
  });

  it('stops apps, then agents, then brokers, then the database, and leaves no process', async () => {
    const launcher = bench.launch();
    await launcher.says(UP);
    await bench.spawnNodeProcess('broker');
    await bench.spawnNodeProcess('agent.main');

    launcher.kill('SIGTERM');
    const code = await launcher.ended();

    expect(code).toBe(0);
    const story = bench.story();
    expect(story.slice(0, 2).sort()).toEqual(['main-api started', 'supervisor started']);
    expect(story.slice(2, 4).sort()).toEqual(['main-api ended', 'supervisor ended']);
    expect(story.slice(4)).toEqual(['agent.main ended', 'broker ended']);
    expect(await bench.survivors()).toEqual([]);
    expect(isDatabaseAlive(bench.dataDir)).toBe(false);
  });

  it('counts the double signal of one Ctrl-C under npm as one, and lets the apps end gracefully', async () => {
    const launcher = bench.launch();
    await launcher.says(UP);
    writeFileSync(bench.path('supervisor.slow'), '');

    launcher.kill('SIGINT');
    launcher.kill('SIGINT');
    const code = await launcher.ended();

    expect(code).toBe(0);
    expect(bench.story()).toContain('supervisor ended');
    expect(bench.story()).not.toContain('supervisor interrupted');
  });

  it('kills an app that ignores SIGTERM, and does so at once after a second signal', async () => {
    const launcher = bench.launch();
    await launcher.says(UP);
    writeFileSync(bench.path('main-api.deaf'), '');
    launcher.kill('SIGINT');
    await launcher.says('Stopping.');
    const repeat = setInterval(() => launcher.kill('SIGINT'), 800);
    const code = await launcher.ended();
    clearInterval(repeat);

    expect(code).toBe(0);
    expect(launcher.output).toContain('Stopping immediately.');
    expect(await bench.survivors()).toEqual([]);
  });

  it('restarts an app that dies, and shows its last lines', async () => {
    const launcher = bench.launch();
    await launcher.says(UP);
    const before = await bench.pidOf('main');

    process.kill(before ?? 0, 'SIGKILL');
    await launcher.says('main-api is running again.');

    expect(await bench.pidOf('main')).not.toBe(before);
    expect(launcher.output).toMatch(/main-api stopped \(SIGKILL\)\. Landlord starts it again in 1 s[\s\S]*all is well/);
  });

  it('restarts the database when its postmaster dies', async () => {
    const launcher = bench.launch();
    await launcher.says(UP);
    const before = bench.postmasterPid();

    process.kill(before, 'SIGKILL');
    await launcher.says('PostgreSQL is running again.');

    expect(bench.postmasterPid()).not.toBe(before);
    expect(isDatabaseAlive(bench.dataDir)).toBe(true);
  });

  it('shows warnings of the apps, and leaves all other lines in their logs', async () => {
    const launcher = bench.launch();
    await launcher.says(UP);

    await launcher.says('main-api: warning: something is odd');

    expect(launcher.output).not.toContain('all is well');
    expect(bench.read('logs/main-api.log')).toContain('all is well');
  });

  it('takes over after the launcher was killed: stops the old apps and keeps the database', async () => {
    const killed = bench.launch();
    await killed.says(UP);
    const [main, supervisor] = [await bench.pidOf('main'), await bench.pidOf('supervisor')];
    const postmaster = bench.postmasterPid();
    killed.kill('SIGKILL');
    await until(() => !isAlive(killed.pid), { timeoutMs: 5_000 });
    expect([isAlive(main ?? 0), isAlive(supervisor ?? 0)]).toEqual([true, true]);

    const next = bench.launch();
    await next.says(UP);

    expect([isAlive(main ?? 0), isAlive(supervisor ?? 0)]).toEqual([false, false]);
    expect(bench.postmasterPid()).toBe(postmaster);
    next.kill('SIGTERM');
    expect(await next.ended()).toBe(0);
    expect(await bench.survivors()).toEqual([]);
    expect(isDatabaseAlive(bench.dataDir)).toBe(false);
  });

  it('refuses a second start on the same data without disturbing the first', async () => {
    const first = bench.launch();
    await first.says(UP);

    const second = bench.launch();
    const code = await second.ended();

    expect(code).toBe(75);
    expect(second.output).toContain(`already runs with ${bench.dataDir} (process ${first.pid})`);
    expect(await bench.pidOf('main')).not.toBeNull();
  });

  it('lists every taken port with its variable before it starts anything', async () => {
    const thieves = [bench.ports.main, bench.ports.gateway].map((port) => createServer().listen(port, '127.0.0.1'));
    await Promise.all(thieves.map((thief) => once(thief, 'listening')));

    const launcher = bench.launch();
    const code = await launcher.ended();

    thieves.forEach((thief) => thief.close());
    expect(code).toBe(75);
    expect(launcher.output).toMatch(new RegExp(`Port ${bench.ports.main}.*MAIN_API_PORT`));
    expect(launcher.output).toMatch(new RegExp(`Port ${bench.ports.gateway}.*GATEWAY_PORT`));
    expect(launcher.output).not.toContain('SUPERVISOR_PORT');
    expect(isDatabaseAlive(bench.dataDir)).toBe(false);
  });

  it('fails when an app never becomes ready, shows the reason, and leaves no process', async () => {
    writeFileSync(bench.path('supervisor.broken'), '');

    const launcher = bench.launch();
    const code = await launcher.ended();

    expect(code).toBe(1);
    expect(launcher.output).toContain('the fake is broken');
    expect(launcher.output).toContain('supervisor does not start');
    expect(await bench.survivors()).toEqual([]);
    expect(isDatabaseAlive(bench.dataDir)).toBe(false);
  });

  it('repeats the message of an app that cannot start once, without a restart', async () => {
    writeFileSync(bench.path('supervisor.refusing'), '');

    const launcher = bench.launch();
    const code = await launcher.ended();

    expect(code).toBe(78);
    expect(launcher.output).toMatch(/^supervisor cannot start\. The fake has no disk\. Buy one\.$/m);
    expect(launcher.output.match(/Buy one/g)).toHaveLength(1);
    expect(launcher.output).not.toContain('starts it again');
    expect(await bench.survivors()).toEqual([]);
  });

  it('stops during its start', async () => {
    const launcher = bench.launch();
    await until(() => isDatabaseAlive(bench.dataDir), { timeoutMs: 20_000, everyMs: 5 });

    launcher.kill('SIGTERM');
    const code = await launcher.ended();

    expect(code).toBe(0);
    expect(launcher.output).not.toContain(UP);
    expect(isDatabaseAlive(bench.dataDir)).toBe(false);
  });

  it('reports all problems of its configuration at once', async () => {
    const launcher = bench.launch('start', {
      MAIN_API_PORT: 'x',
      BOOTSTRAP_API_KEY: 'mine',
      DATABASE_URL: 'mysql://a',
    });
    const code = await launcher.ended();

    expect(code).toBe(78);
    for (const name of ['MAIN_API_PORT', 'BOOTSTRAP_API_KEY', 'DATABASE_URL']) expect(launcher.output).toContain(name);
  });

  it('stops the database again after `landlord migrate` if it was stopped before', async () => {
    const migrate = bench.launch('migrate');
    const code = await migrate.ended();

    expect(`${code} ${migrate.output}`).toBe('0 The database is up to date.\n');
    expect(isDatabaseAlive(bench.dataDir)).toBe(false);
  });

  it('continues undisturbed while `landlord migrate` runs', async () => {
    const launcher = bench.launch();
    await launcher.says(UP);
    const postmaster = bench.postmasterPid();

    const code = await bench.launch('migrate').ended();

    expect(code).toBe(0);
    expect(bench.postmasterPid()).toBe(postmaster);
    expect(isDatabaseAlive(bench.dataDir)).toBe(true);
  });
});
