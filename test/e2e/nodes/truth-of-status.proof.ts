import { jest } from '@jest/globals';
import {
  describeWithNats,
  eventually,
  NATS_SERVER,
  TestCloud,
  TestDeployment,
  type ApiAnswer,
  type NodeProcessKind,
} from '@libs/testing';
import {
  isNotReached,
  isNotRunning,
  isUnanswered,
  LONGEST_CLAIM_MS,
  Samples,
  TruthSamples,
  type Figures,
} from './truth-samples.js';

/** From the APIs to the brokers, after everything has been killed. */
const LONGEST_RETURN_MS = 8_000;
/** A node without reports is `unreachable` after this time. */
const SILENT_SECONDS = 10;
/** A deployment stays `initialized` for this time while a node that says `starting` comes back by itself. */
const MOMENT_MS = 10_000;
/** A cell without reports is away after this time. */
const SILENT_CELL_MS = 60_000;
/** A record has `last_report_at` after this time. */
const LATE_MS = 15_000;

jest.setTimeout(240_000);

describe('What the API says of a node, beside what a client meets', () => {
  let cloud: TestCloud;
  let samples: TruthSamples;

  beforeAll(async () => {
    cloud = await TestCloud.start({ ownDatabase: true, env: { NODE_UNREACHABLE_SECONDS: String(SILENT_SECONDS) } });
    samples = new TruthSamples(cloud, (await TestDeployment.free(cloud)).id);
  });
  afterAll(() => cloud.stop());
  beforeEach(() => samples.begin());
  afterEach(() => samples.end());

  it.each<NodeProcessKind[][]>([[['agent']], [['broker']], [['agent', 'broker']]])(
    'agrees after kill -9 of %j of a node',
    async (kinds) => {
      const killed = await signal(cloud, 'SIGKILL', ...kinds);

      // On a busy machine, the processes may be back before the next sample.
      const returned = { at: Infinity };
      const isFault = kinds.includes('broker') ? isNotReached : isNotRunning;
      const [figures] = await Promise.all([
        samples.around(`kill -9 of ${kinds.join(' and ')}`, (one) => isFault(one) || one.at > returned.at),
        successorsOf(cloud, killed, kinds).then((at) => (returned.at = at)),
      ]);
      expectTruth(figures, LONGEST_CLAIM_MS);
    },
  );

  it.each<[NodeProcessKind, typeof isNotRunning]>([
    ['agent', isNotRunning],
    ['broker', isNotReached],
  ])('agrees after an orderly stop of the %s of a node', async (kind, isSeen) => {
    const stoppedAt = performance.now();
    await signal(cloud, 'SIGTERM', kind);

    const { seenAt, ...figures } = await samples.around(`SIGTERM of ${kind}`, isSeen);
    console.log(`seen after ${Math.round(seenAt - stoppedAt)} ms`);
    expectTruth(figures, LONGEST_CLAIM_MS);
    expect(seenAt - stoppedAt).toBeLessThanOrEqual(LONGEST_CLAIM_MS);
  });

  it('agrees after an orderly restart of both APIs, whose brokers go on', async () => {
    await Promise.all([cloud.supervisor.stop(), cloud.mainApi.stop()]);
    await Promise.all([cloud.supervisor.start(), cloud.mainApi.start()]);

    expectTruth(await samples.around('restart', isUnanswered), LONGEST_CLAIM_MS);
    expect(samples.all.filter(isNotReached)).toEqual([]);
  });

  it('agrees after kill -9 of everything, and brokers are back within seconds of the APIs', async () => {
    await Promise.all([
      cloud.supervisor.kill(),
      cloud.mainApi.kill(),
      signal(cloud, 'SIGKILL', 'agent', 'broker'),
      cloud.crashDatabase(),
    ]);
    await Promise.all([cloud.supervisor.start(), cloud.mainApi.start()]);

    const readyAt = performance.now();
    const figures = await samples.around('kill -9 of everything', isUnanswered);
    console.log(`back after ${Math.round(figures.backAt - readyAt)} ms`);
    expectTruth(figures, LONGEST_CLAIM_MS);
    expect(figures.backAt - readyAt).toBeLessThanOrEqual(LONGEST_RETURN_MS);
  });

  it.each<NodeProcessKind>(['broker', 'agent'])(
    'agrees while the %s of a node is stopped by SIGSTOP, after a time of silence',
    async (kind) => expectTruth(await aroundPause(cloud, samples, kind), SILENT_SECONDS * 1_000 + LONGEST_CLAIM_MS),
  );
});

describeWithNats('What the API says of a node whose gate is a process of its own', () => {
  let cloud: TestCloud;
  let samples: TruthSamples;

  beforeAll(async () => {
    const settings = { LOCAL_BROKER: 'nats', NATS_SERVER_BIN: NATS_SERVER ?? '' };
    cloud = await TestCloud.start({ env: { ...settings, NODE_UNREACHABLE_SECONDS: String(SILENT_SECONDS) } });
    samples = new TruthSamples(cloud, (await TestDeployment.free(cloud)).id);
  });
  afterAll(() => cloud.stop());
  beforeEach(() => samples.begin());
  afterEach(() => samples.end());

  it.each<[NodeJS.Signals, ...NodeProcessKind[]]>([
    ['SIGKILL', 'gate'],
    ['SIGTERM', 'gate'],
    ['SIGKILL', 'broker'],
    ['SIGKILL', 'gate', 'broker'],
  ])('agrees after %s of its %s', async (name, ...kinds) => {
    await signal(cloud, name, ...kinds);

    const { running, initialized } = await samples.around(`nats, ${name} of ${kinds.join(' and ')}`, isNotReached);
    expect(running).toBeLessThanOrEqual(LONGEST_CLAIM_MS);
    expect(initialized).toBeLessThanOrEqual(MOMENT_MS + LONGEST_CLAIM_MS);
  });

  it.each<NodeProcessKind>(['broker', 'gate'])(
    'agrees while its %s is stopped by SIGSTOP, after a time of silence',
    async (kind) => expectTruth(await aroundPause(cloud, samples, kind), SILENT_SECONDS * 1_000 + LONGEST_CLAIM_MS),
  );
});

describe('What the main API says of a Supervisor', () => {
  let cloud: TestCloud;
  let deployment: TestDeployment;

  beforeAll(async () => {
    cloud = await TestCloud.start();
    deployment = await TestDeployment.free(cloud);
  });
  afterAll(() => cloud.stop());

  const record = async (): Promise<ApiAnswer['body']> => (await cloud.main().get(deployment.path)).body;
  const isReachable = async (): Promise<boolean> => (await record()).supervisor_reachable;

  it('is true within two seconds of its stop, and within a minute of its death', async () => {
    expect(await isReachable()).toBe(true);

    await cloud.supervisor.stop();
    await eventually('the main API knows of the stop', async () => !(await isReachable()), LONGEST_CLAIM_MS);
    await cloud.supervisor.start();
    await eventually('the main API knows of the start', isReachable, LONGEST_CLAIM_MS);

    await cloud.supervisor.kill();
    await eventually('the main API knows of the kill', async () => !(await isReachable()), 65_000);
    await cloud.supervisor.start();
    await eventually('the main API knows of the start', isReachable, LONGEST_CLAIM_MS);
  });

  it('has the time of the last report while it is stopped by SIGSTOP, and is true within a minute', async () => {
    const samples = new Samples<Saying>(async () => {
      const { supervisor_reachable: claims, last_report_at: reportAt } = await record();
      return { claims, reportAt: reportAt === null ? null : Date.parse(reportAt) };
    });
    await eventually('all reports are on time', async () => (await record()).last_report_at === null);
    process.kill(cloud.supervisor.pid, 'SIGSTOP');
    const [stoppedAt, stoppedOn] = [performance.now(), Date.now()];
    samples.start();

    const away = await eventually('the main API knows', () => samples.all.find(({ claims }) => !claims));
    const late = samples.all.find(({ reportAt }) => reportAt !== null);
    process.kill(cloud.supervisor.pid, 'SIGCONT');
    await eventually('the main API knows of its return', isReachable, LONGEST_CLAIM_MS);
    await eventually('all reports are on time again', async () => (await record()).last_report_at === null);
    await samples.end();

    const figures = { away: away.at - stoppedAt, late: (late?.at ?? Infinity) - stoppedAt };
    console.log(`SIGSTOP of the Supervisor: ${JSON.stringify(figures)} ms`);
    expect(figures.away).toBeLessThanOrEqual(SILENT_CELL_MS + LONGEST_CLAIM_MS);
    expect(figures.late).toBeLessThanOrEqual(LATE_MS + LONGEST_CLAIM_MS);
    for (const { at, reportAt } of samples.all) if (at <= away.at) expect(reportAt ?? 0).toBeLessThanOrEqual(stoppedOn);
    expect(away.reportAt).not.toBeNull();
  });
});

interface Saying {
  at: number;
  claims: boolean;
  reportAt: number | null;
}

function expectTruth({ running, initialized }: Pick<Figures, 'running' | 'initialized'>, limitMs: number): void {
  expect(running).toBeLessThanOrEqual(limitMs);
  expect(initialized).toBeLessThanOrEqual(limitMs);
}

/** Returns the processes that got the signal. */
async function signal(cloud: TestCloud, name: NodeJS.Signals, ...kinds: NodeProcessKind[]): Promise<number[]> {
  const processes = (await cloud.nodeProcesses()).filter(({ kind }) => kinds.includes(kind));
  expect(new Set(processes.map(({ kind }) => kind))).toEqual(new Set(kinds));
  for (const { pid } of processes) process.kill(pid, name);
  return processes.map(({ pid }) => pid);
}

/** Waits for other processes of these kinds. Returns `performance.now()` of that moment. */
async function successorsOf(cloud: TestCloud, killed: readonly number[], kinds: NodeProcessKind[]): Promise<number> {
  await eventually('other processes run', async () => {
    const processes = (await cloud.nodeProcesses()).filter(({ kind }) => kinds.includes(kind));
    return processes.length >= killed.length && processes.every(({ pid }) => !killed.includes(pid));
  });
  return performance.now();
}

/** Stops the processes by SIGSTOP until a sample says so. */
async function aroundPause(cloud: TestCloud, samples: TruthSamples, kind: NodeProcessKind): Promise<Figures> {
  const processes = await signal(cloud, 'SIGSTOP', kind);
  await eventually('a sample says that the node is not in service', () => samples.all.some(isNotRunning));
  for (const pid of processes) if (isAlive(pid)) process.kill(pid, 'SIGCONT');
  return samples.around(`SIGSTOP of ${kind}`, isNotRunning);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
