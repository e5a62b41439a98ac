import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { isAlive, until } from '@libs/host/os';
import { compileLauncher, type CompiledLauncher } from '../../test/compiled-launcher.js';
import { FAKE_MIGRATIONS } from '../../test/fake-migrations.js';
import { addFakeApps, LauncherBench, type LauncherProcess } from '../../test/launcher-process.js';
import { isDatabaseAlive } from '../embedded-postgres/ensure-database.js';

const UP = 'Press Ctrl-C to stop Landlord.';

/** Two releases are two builds in their own folders. The apps are fakes, and the database is real. */
describe('landlord upgrade', () => {
  let old: CompiledLauncher;
  let next: CompiledLauncher;
  let bench: LauncherBench;

  beforeAll(() => {
    old = compileLauncher(FAKE_MIGRATIONS);
    next = compileLauncher(FAKE_MIGRATIONS);
    addFakeApps(next);
  });
  afterAll(() => {
    old.remove();
    next.remove();
  });
  beforeEach(async () => {
    bench = await LauncherBench.open(old);
  });
  afterEach(() => bench.close());

  /** A running Landlord of the old release with a node. */
  async function runOld(environment: Record<string, string> = {}) {
    const launcher = bench.launch('start', environment);
    await launcher.says(UP);
    const broker = await bench.spawnNodeProcess('broker');
    const agent = await bench.spawnNodeProcess('agent.main');
    return { launcher, nodes: [broker, agent], postmaster: bench.postmasterPid() };
  }
  const upgrade = (environment: Record<string, string> = {}): LauncherProcess =>
    bench.launch('upgrade', environment, next);
  const appPids = async () => [await bench.pidOf('main'), await bench.pidOf('supervisor')];
  const entryOfApp = async (): Promise<string> => {
    const response = await fetch(`http://127.0.0.1:${bench.ports.main}/environment`);
    return ((await response.json()) as { argv: string[] }).argv[1] ?? '';
  };
  /** Keeps the apps of the running launcher from a fast stop, so that a hand-over takes ten seconds. Returns the end of that. */
  const holdSupervisor = (): (() => void) => {
    writeFileSync(bench.path('supervisor.deaf'), '');
    return () => rmSync(bench.path('supervisor.deaf'));
  };
  const stopped = async (launcher: LauncherProcess): Promise<number | null> => {
    launcher.kill('SIGTERM');
    return launcher.ended();
  };

  /** The old launcher and everything of it runs as before a refused upgrade. */
  async function expectUntouched(running: Awaited<ReturnType<typeof runOld>>, apps: (number | null)[]): Promise<void> {
    expect(await appPids()).toEqual(apps);
    expect([running.launcher.pid, ...running.nodes].map(isAlive)).toEqual([true, true, true]);
    expect(bench.postmasterPid()).toBe(running.postmaster);
    expect(existsSync(bench.path('upgrade.lock'))).toBe(false);
    expect(running.launcher.output).not.toContain('continues');
    expect(bench.read('bin/landlord')).toContain(old.src);
  }

  it('replaces launcher and apps, and leaves agents, brokers and the database running', async () => {
    bench.fakeMachineAgent();
    const { launcher, nodes, postmaster } = await runOld();
    const [machineAgent = 0] = await bench.storyHas('machine agent', 1);

    const upgraded = upgrade();
    await upgraded.says(UP);

    expect(await launcher.ended()).toBe(0);
    expect(launcher.output).toMatch(new RegExp(`\nLandlord \\S+ continues as process ${upgraded.pid}\\.\n$`));
    expect(launcher.output).not.toContain('Stopping');
    expect(await entryOfApp()).toContain(next.dist);
    expect([machineAgent, ...nodes].map(isAlive)).toEqual([true, true, true]);
    expect(bench.postmasterPid()).toBe(postmaster);
    expect(
      bench
        .story()
        .filter((line) => /ended/.test(line))
        .sort(),
    ).toEqual(['main-api ended', 'supervisor ended']);
    expect(bench.read('bin/landlord')).toContain(next.src);
    expect(existsSync(bench.path('upgrade.lock'))).toBe(false);

    expect(await stopped(upgraded)).toBe(0);
    expect(await bench.survivors()).toEqual([]);
    expect(isAlive(machineAgent)).toBe(false);
    expect(isDatabaseAlive(bench.dataDir)).toBe(false);
  });

  it('rolls back in the same way', async () => {
    const { launcher, nodes } = await runOld();
    const upgraded = upgrade();
    await upgraded.says(UP);
    expect(await launcher.ended()).toBe(0);

    const back = bench.launch('upgrade');
    await back.says(UP);

    expect(await upgraded.ended()).toBe(0);
    expect(await entryOfApp()).toContain(old.dist);
    expect(nodes.map(isAlive)).toEqual([true, true]);
    expect(await stopped(back)).toBe(0);
  });

  it('starts Landlord when none runs, and stops all of it', async () => {
    const launcher = upgrade();
    await launcher.says(UP);
    await bench.spawnNodeProcess('broker');

    expect(await stopped(launcher)).toBe(0);

    expect(launcher.output).toContain('Landlord has stopped.');
    expect(await bench.survivors()).toEqual([]);
  });

  it('applies given keys and leaves no file of them', async () => {
    const keys = { LANDLORD_SECRET_KEYS: `k9:${Buffer.alloc(32, 7).toString('base64')}` };
    const { launcher } = await runOld(keys);

    const upgraded = upgrade(keys);
    await upgraded.says(UP);
    await launcher.ended();

    expect(bench.read('secret-keys.given').trim()).toBe(keys.LANDLORD_SECRET_KEYS);
    expect(await stopped(upgraded)).toBe(0);
    expect(existsSync(bench.path('secret-keys.given'))).toBe(false);
  });

  it('is what a start of another release names, and no start of the same release (other_release_in_use)', async () => {
    const running = await runOld();
    const apps = await appPids();

    const other = bench.launch('start', {}, next);
    const same = bench.launch('start');

    expect([await other.ended(), await same.ended()]).toEqual([75, 75]);
    expect(other.output).toMatch(
      new RegExp(`^Landlord \\S+ runs with ${bench.dataDir} \\(process ${running.launcher.pid}\\)\\. Run "upgrade"`),
    );
    expect(same.output).toContain(`Landlord already runs with ${bench.dataDir}`);
    expect(same.output).not.toContain('upgrade');
    await expectUntouched(running, apps);
  });

  describe('is refused in one sentence, and the running Landlord continues, when', () => {
    /** Runs an upgrade with these settings, which must end with this code and sentence. */
    async function isRefused(settings: Record<string, string>, code: number, sentence: RegExp): Promise<void> {
      const running = await runOld();
      const apps = await appPids();

      const refused = upgrade(settings);

      expect(await refused.ended()).toBe(code);
      expect(refused.output).toMatch(sentence);
      expect(refused.output).not.toMatch(/hunter2|\n\s+at /);
      await expectUntouched(running, apps);
    }

    it('a setting is malformed', () => isRefused({ MAIN_API_PORT: 'x' }, 78, /MAIN_API_PORT/));

    it('it has another database (upgrade_of_other_database)', () =>
      isRefused(
        { DATABASE_URL: 'postgres://u:hunter2@127.0.0.1:1/other' },
        78,
        /uses the embedded PostgreSQL, and this release would use PostgreSQL at 127\.0\.0\.1:1\/other\. Set DATABASE_URL/,
      ));

    it('its secret keys are missing', () =>
      isRefused(
        { LANDLORD_SECRET_KEYS_FILE: '/nonexistent/keys' },
        78,
        /^The secret keys of this installation are missing: \/nonexistent\/keys does not exist/,
      ));

    it('its new port is taken', async () => {
      const thief = createServer().listen(0, '127.0.0.1');
      await once(thief, 'listening');
      const MAIN_API_PORT = String((thief.address() as AddressInfo).port);

      await isRefused({ MAIN_API_PORT }, 75, /^Port \d+ for the main API \(MAIN_API_PORT\) is in use/);
      thief.close();
    });

    it('the running launcher hands nothing over (upgrade_without_hand_over)', async () => {
      const running = await runOld();
      const apps = await appPids();
      const { note, ...lock } = JSON.parse(bench.read('launcher.lock')) as Record<string, unknown>;
      expect(note).toMatchObject({ hands_over: true });
      writeFileSync(bench.path('launcher.lock'), JSON.stringify(lock));

      const refused = upgrade();

      expect(await refused.ended()).toBe(75);
      expect(refused.output).toMatch(
        new RegExp(`^Process ${running.launcher.pid} uses ${bench.dataDir} and hands nothing over`),
      );
      await expectUntouched(running, apps);
    });
  });

  it('is won by one of two at once (upgrade_in_progress)', async () => {
    const { launcher, nodes } = await runOld();
    const release = holdSupervisor();
    const both = [upgrade(), upgrade()];

    const loser = await Promise.race(both.map(async (one) => [one, await one.ended()] as const));
    const winner = both.find((one) => one !== loser[0]);
    await winner?.says(UP);
    release();

    expect(loser[1]).toBe(75);
    expect(loser[0].output).toBe(
      `An upgrade runs with ${bench.dataDir} (process ${winner?.pid}). Wait until it has ended. Nothing has changed.\n`,
    );
    expect(await launcher.ended()).toBe(0);
    expect(nodes.map(isAlive)).toEqual([true, true]);
    expect(await stopped(winner as LauncherProcess)).toBe(0);
  });

  it('lets no start come between', async () => {
    const { launcher } = await runOld();
    const release = holdSupervisor();
    const upgraded = upgrade();
    await until(() => existsSync(bench.path('upgrade.lock')), { timeoutMs: 20_000, everyMs: 5 });

    const start = bench.launch('start');

    expect(await start.ended()).toBe(75);
    expect(start.output).toContain(`An upgrade runs with ${bench.dataDir} (process ${upgraded.pid})`);
    await upgraded.says(UP);
    release();
    expect(await launcher.ended()).toBe(0);
    expect(await stopped(upgraded)).toBe(0);
  });

  it('names the way back when its apps refuse to start, and leaves the nodes and the database', async () => {
    const { launcher, nodes, postmaster } = await runOld();
    writeFileSync(bench.path('supervisor.refusing'), '');

    const failed = upgrade();

    expect(await failed.ended()).toBe(78);
    expect(await launcher.ended()).toBe(0);
    expect(failed.output).toContain('The fake has no disk. Buy one.');
    expect(failed.output).toContain(`Start the release before: ${bench.path('bin/landlord')} start`);
    expect(await appPids()).toEqual([null, null]);
    expect(nodes.map(isAlive)).toEqual([true, true]);
    expect([isDatabaseAlive(bench.dataDir), bench.postmasterPid()]).toEqual([true, postmaster]);
    expect(readFileSync(bench.path('bin/landlord'), 'utf8')).toContain(old.src);
  });

  it('can be repeated after it was killed in the middle', async () => {
    const { launcher, nodes, postmaster } = await runOld();
    const release = holdSupervisor();
    const killed = upgrade();
    await until(() => bench.story().includes('main-api ended'), { timeoutMs: 30_000, everyMs: 5 });
    killed.kill('SIGKILL');
    await killed.ended();

    expect(await launcher.ended()).toBe(1);
    release();
    expect(launcher.output).toContain(
      `The upgrade (process ${killed.pid}) has ended. Agents and brokers run on. Start Landlord again: ${bench.path('bin/landlord')} start`,
    );
    const again = bench.launch('start', {}, next);
    await again.says(UP);

    expect(nodes.map(isAlive)).toEqual([true, true]);
    expect(bench.postmasterPid()).toBe(postmaster);
    expect(await stopped(again)).toBe(0);
    expect(await bench.survivors()).toEqual([]);
  });

  it('ends with the pid of a launcher that does not hand over, which continues later (hand_over_unfinished)', async () => {
    const running = await runOld();
    const apps = await appPids();
    running.launcher.kill('SIGSTOP');

    const refused = upgrade();

    expect(await refused.ended()).toBe(75);
    running.launcher.kill('SIGCONT');
    expect(refused.output).toMatch(
      new RegExp(`^Landlord \\S+ \\(process ${running.launcher.pid}\\) has not handed over within 45 seconds\\.`),
    );
    // The launcher still tends its apps: it has ignored the signal of the upgrade that has ended.
    process.kill(apps[0] ?? 0, 'SIGKILL');
    await running.launcher.says('main-api is running again.');
    await expectUntouched(running, [await bench.pidOf('main'), apps[1] ?? null]);
  });
});
