import { jest } from '@jest/globals';
import { eventually, TestCloud, TestDeployment, type ApiAnswer, type Login, type SeenNode } from '@libs/testing';
import { Receiver } from '../configs/receiver.fixture.js';
import { isNotReached, isWell, LONGEST_CLAIM_MS, Samples, serves, TruthSamples } from './truth-samples.js';

/** A connector whose messages wait and do not move is not `active` after this time. */
const STALL_MS = 10_000;
const OVERLAP_SECONDS = 5;
const WAITING = 3;
const ORDER = {
  ...({ name: 'true', cloud: 'aws', region: 'us-east-1', tier: 'small' } as const),
  ...({ managed_tier: 'standard', cluster: 'cluster' } as const),
};

jest.setTimeout(240_000);

/** One scenario in fixed order: a paid deployment is ordered and upgraded, and a Free one takes the other changes. */
describe('What the API says during changes, beside what a client meets', () => {
  let cloud: TestCloud;
  let deployment: TestDeployment;
  let samples: TruthSamples;
  /** What one test samples besides. */
  const others: { end(): Promise<void> }[] = [];
  let receiver: Receiver;

  beforeAll(async () => {
    cloud = await TestCloud.start({ env: { ALLOW_PRIVATE_DESTINATIONS: 'true' } });
    receiver = await Receiver.open();
  });
  afterAll(async () => {
    await receiver.close();
    await cloud.stop();
  });
  afterEach(async () => {
    await Promise.all([samples, ...others.splice(0)].map((series) => series.end()));
  });

  function expectTruth(change: string): void {
    const { running, initialized } = samples.claims(change);
    expect(running).toBeLessThanOrEqual(LONGEST_CLAIM_MS);
    expect(initialized).toBeLessThanOrEqual(LONGEST_CLAIM_MS);
  }

  /** Samples from before the change until all is well after it. */
  async function during(change: string, ask: () => Promise<ApiAnswer>): Promise<void> {
    await samples.begin();
    await deployment.succeeds(await ask());
    const endedAt = performance.now();
    await eventually('all is well after the change', () => samples.all.some((one) => one.at > endedAt && isWell(one)));
    expectTruth(change);
  }

  it('agrees from the order of a deployment to its first client', async () => {
    const clients: unknown[] = [];
    deployment = await TestDeployment.made(cloud, async ({ deployments }) => {
      const order = { ...ORDER, ...cloud.placeIds };
      const accepted = await deployments.createManaged(order);
      samples = new TruthSamples(cloud, accepted.deployment_id);
      samples.start();
      return accepted;
    });
    clients.push((await deployment.detail())['clients']);
    const ruleFrom = performance.now();
    await deployment.permit();
    clients.push((await deployment.detail())['clients']);
    const served = await eventually('a client is served', () => samples.all.find(({ isReached }) => isReached));

    console.log(`a client is served ${Math.round(served.at - ruleFrom)} ms after its rule`);
    expect(clients).toEqual(['none_allowed', null]);
    expect(samples.all.filter(({ at, isReached }) => at < ruleFrom && isReached)).toEqual([]);
    expect(served.at - ruleFrom).toBeLessThanOrEqual(LONGEST_CLAIM_MS);
    expect(samples.all.find(isWell)).toBeDefined();
  });

  it('agrees while its nodes are upgraded', async () => {
    await during('upgrade', () => cloud.main().post(`${deployment.path}/upgrade`, { tier: 'medium' }));
    expect(samples.all.some(isNotReached)).toBe(true);
  });

  it('lets a Free deployment take the next rows', async () => {
    await deployment.delete();
    deployment = await TestDeployment.free(cloud);
    samples = new TruthSamples(cloud, deployment.id);
  });

  it('agrees while the broker is reconfigured', async () => {
    const values = { http: { enabled: false } };
    const saved = await cloud.runtime().post(`${deployment.live}/configs/broker`, { values, activate: true });
    expect(saved.status).toBe(201);

    await during('reconfigure', () => cloud.runtime().post(`${deployment.live}/tasks`, { type: 'broker:reconfigure' }));
    expect(samples.all.some(isNotReached)).toBe(true);
  });

  it('agrees while a backup is taken and restored', async () => {
    const backups = `${deployment.live}/backups`;
    let backup = '';
    await during('backup', async () => {
      const taken = await cloud.runtime().post(backups, { name: 'before' });
      backup = taken.headers.get('ld-backup') ?? '';
      return taken;
    });
    await samples.end();

    await during('restore', () => cloud.runtime().post(`${backups}/${backup}/restore`));
    expect(samples.all.some(isNotReached)).toBe(true);
  });

  it('agrees while the credentials are rotated: both passwords are good for as long as the record says', async () => {
    const before = await deployment.login();
    const [node] = (await deployment.nodes()) as [SeenNode];
    const passwords = new Samples<Passwords>(async () => {
      const { body } = await cloud.runtime().get(`${deployment.live}/credentials`);
      const login = body as Login & { previous_until: string | null };
      const [isShownServed, isOldServed] = [await serves(node, login), await serves(node, before)];
      const until = login.previous_until === null ? null : Date.parse(login.previous_until);
      return { isNew: login.password !== before.password, until, isShownServed, isOldServed, on: Date.now() };
    });
    others.push(passwords);
    passwords.start();
    await during('rotation', () =>
      cloud.runtime().post(`${deployment.live}/credentials/rotate`, { overlap_seconds: OVERLAP_SECONDS }),
    );
    await eventually('the old one is refused', () => passwords.all.some(({ isOldServed }) => !isOldServed));
    await passwords.end();

    const until = passwords.all.find((one) => one.until !== null)?.until ?? 0;
    const figures = {
      'the shown one was refused': passwords.longest((one) => !one.isShownServed),
      'the old one was refused too early': passwords.longest(({ on, isOldServed }) => on < until && !isOldServed),
      'the old one was served too late': passwords.longest(({ on, isOldServed }) => on > until && isOldServed),
    };
    console.log(`rotation: ${JSON.stringify(figures)} ms`);
    expect(until).toBeGreaterThan(0);
    expect(passwords.all.some(({ isNew, isOldServed }) => isNew && isOldServed)).toBe(true);
    for (const figure of Object.values(figures)) expect(figure).toBeLessThanOrEqual(LONGEST_CLAIM_MS);
  });

  it('never calls a connector active for long whose messages wait, also after its restart', async () => {
    await activateSink();
    const client = await deployment.admits();
    await samples.begin();
    const connectors = new Samples<Connector>(async () => {
      const { body } = await cloud.runtime().get(`${deployment.live}/connectors/instances`);
      return { status: body[0].status, lag: body[0].metrics?.lag, moved: receiver.bodies.length };
    });
    others.push(connectors);
    receiver.answers = null;
    for (let index = 0; index < WAITING; index += 1) await client.send('orders', JSON.stringify({ order: index }));
    connectors.start();
    /** A new life of the connector is `active` until it knows that nothing moves. */
    const stalls = async (life: string, from: number): Promise<void> => {
      const active = await eventually(`the ${life} is active`, () =>
        connectors.all.find(({ at, status }) => at >= from && status === 'active'),
      );
      await eventually(`the ${life} is not active`, () =>
        connectors.all.some(({ at, status }) => at > active.at && status !== 'active'),
      );
    };
    await stalls('first life', 0);
    const restartedAt = performance.now();
    await deployment.outcome(await cloud.runtime().post(`${deployment.live}/activities/connectors/restart`, {}));
    await stalls('life after a restart', restartedAt);
    const [runner] = (await cloud.nodeProcesses()).filter(({ kind }) => kind === 'connectors');
    const killedAt = performance.now();
    process.kill(runner?.pid ?? 0, 'SIGKILL');
    await stalls('life after a death', killedAt);
    receiver.answers = 200;
    await eventually('all have come', () => receiver.bodies.length >= WAITING);
    await eventually('it is active', () => connectors.all.at(-1)?.status === 'active');
    await connectors.end();
    expect(connectors.all.some(({ lag }) => lag === WAITING)).toBe(true);
    await client.close();

    const stalled = connectors.longest(({ status, moved }) => status === 'active' && moved < WAITING);
    console.log(`connector: active ${stalled} ms while messages waited`);
    expect(stalled).toBeLessThanOrEqual(STALL_MS + LONGEST_CLAIM_MS);
    expect(samples.all.filter(isNotReached)).toEqual([]);
  });

  async function activateSink(): Promise<void> {
    const place = { connector_type: 'sink', connector_key: 'http', instance_key: 'hook' };
    await deployment.succeeds(await cloud.main().post(`${deployment.path}/connectors/activate`, place));
    const plugin_config = { url: receiver.url, retry_delay: '50ms' };
    const streams = [{ stream: 'orders', topics: ['orders'], schema: 'json' }];
    const body = { name: 'hook', values: { enabled: true, streams, plugin_config }, activate: true };
    const saved = await cloud.runtime().post(`${deployment.live}/configs/connector:sink:http`, body);
    await deployment.succeeds(saved);
  }
});

interface Passwords {
  at: number;
  /** Milliseconds since the epoch, after the clients. */
  on: number;
  isNew: boolean;
  until: number | null;
  isShownServed: boolean;
  isOldServed: boolean;
}

interface Connector {
  at: number;
  status: string;
  lag: number | undefined;
  moved: number;
}
