import {
  eventually,
  skippedSuite,
  WebhookReceiver,
  type Login,
  type ReceivedRequest,
  type SeenNode,
} from '@libs/testing';
import { Webhook } from 'standardwebhooks';
import { makeOldCheckout, NotInstallable } from '../../compat/old-checkout.mjs';
import { openPlace, processesOf, removePlace, type Place } from '../../compat/place.mjs';
import { commitOf } from '../../compat/previous-release.mjs';
import { connectTo, MqttTraffic } from './mqtt-traffic.fixture.js';
import { OldInstallation } from './old-installation.fixture.js';

const RELEASE = '902da47';
/** Time to download the dependencies of the release and to build it, or to delete both. */
const SETUP_MS = 15 * 60_000;
const THREE_NODES = { tier: 'small', managed_tier: 'standard', cluster: 'cluster' };
const HOOK = '/hook';
const DIVISION = 'Created before the upgrade';

/** Everything that exists before the upgrade. */
interface Before {
  cluster: { id: string };
  /** The deployment whose operation sleeps during the upgrade, and that operation. */
  rotating: { id: string; operation: string };
  /** A deployment that was requested shortly before the Supervisor stopped. */
  requested: { id: string; operation: string };
  nodes: SeenNode[];
  processes: { pid: number; command: string }[];
  login: Login;
  secret: string;
  refused: ReceivedRequest;
  cookie: string;
}

const place = await openPlace();
const missing = await prepareOldRelease(place);
const describeWithOldRelease =
  missing === null ? describe : skippedSuite(`the upgrade of ${RELEASE}: ${missing.what}`, missing.remedy);

/** Makes the checkout of the release. Resolves with what is missing if the release cannot run here. */
async function prepareOldRelease({ directory, checkout }: Place): Promise<{ what: string; remedy: string } | null> {
  try {
    const commit = commitOf(RELEASE);
    if (commit !== null) await makeOldCheckout(commit, checkout);
    if (commit !== null) return null;
    await removePlace(directory);
    return { what: `git does not have commit ${RELEASE}`, remedy: 'Run: git fetch --unshallow' };
  } catch (error) {
    await removePlace(directory);
    if (!(error instanceof NotInstallable)) throw error;
    const what = `the dependencies of ${RELEASE} cannot be installed`;
    return { what, remedy: 'The npm registry must be reachable' };
  }
}

/** The apps are replaced while the nodes run. docs/installation.md has the same order. */
describeWithOldRelease('An installation of an older release that is upgraded to this checkout', () => {
  let old: OldInstallation;
  let receiver: WebhookReceiver;
  let traffic: MqttTraffic;
  let before: Before;
  let upgradedAt: string;
  /** The number of attempts that the receiver has refused. */
  let refusals = 0;

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    receiver.react = () => 503;
    old = await OldInstallation.start(place, await WebhookReceiver.env());
    before = await fill();
    await upgrade();
  }, SETUP_MS);
  afterAll(async () => {
    await traffic?.stop();
    await old?.stop();
    await receiver?.stop();
    await removePlace(place.directory);
  }, SETUP_MS);

  const managed = (): string => `${old.environment}/deployments/managed`;

  async function fill(): Promise<Before> {
    const cookie = await signIn();
    const cluster = await create(managed(), { name: 'cluster', ...THREE_NODES });
    const rotating = await create(`${old.division}/deployments/starter`, {});
    await permit(cluster.id, 'before', { broker_tcp: true });
    const { nodes } = (await old.detail(cluster.id)).body as { nodes: SeenNode[] };
    const login = await loginOf(cluster.id);
    traffic = await MqttTraffic.start(
      nodes.map(({ endpoints }) => endpoints.tcp ?? ''),
      login,
    );
    await traffic.flows();
    const { secret, refused } = await leaveDeliveryWaiting();
    const processes = await processesOfNodes(nodes);
    // The values of `requested` and of the operation of `rotating` follow in `upgrade`.
    const requested = { id: '', operation: '' };
    return { cluster, rotating, requested, nodes, processes, login, secret, refused, cookie };
  }

  /** Migrates while the old apps run, stops them, and starts the apps of this checkout. */
  async function upgrade(): Promise<void> {
    const thaw = await freezeAgent(before.rotating.id);
    try {
      before.rotating.operation = await rotateAsleep(before.rotating.id);
      await old.landlord('migrate');
      before.requested = await old.order(managed(), { name: 'requested', ...THREE_NODES });
      await old.stopApps();
    } finally {
      thaw();
    }
    await requireUnfinished();
    refusals = receiver.at(HOOK).length;
    receiver.react = () => 204;
    upgradedAt = new Date().toISOString();
    await old.startNewApps();
  }

  async function create(path: string, body: object): Promise<{ id: string; operation: string }> {
    const ordered = await old.order(path, body);
    expect(await old.outcome(ordered.operation)).toMatchObject({ status: 'succeeded' });
    return ordered;
  }

  async function permit(deployment: string, name: string, rules: object): Promise<void> {
    const rule = { name, cidr_blocks: ['127.0.0.0/8'], rules };
    const { status, body } = await old.runtime().post(`/deployments/${deployment}/access_rules`, rule);
    expect([status, body.code]).toEqual([201, undefined]);
  }

  const loginOf = async (deployment: string): Promise<Login> =>
    (await old.runtime().get(`/deployments/${deployment}/credentials`)).body;

  async function signIn(): Promise<string> {
    const { owner_email: email, owner_password: password } = old.bootstrap;
    const { status, headers } = await old.main(null).post('/account/sign_in', { email, password });
    expect(status).toBe(200);
    return headers
      .getSetCookie()
      .map((cookie) => cookie.split(';')[0])
      .join('; ');
  }

  /** Agents and brokers of these nodes. */
  async function processesOfNodes(nodes: SeenNode[]): Promise<{ pid: number; command: string }[]> {
    const flags = nodes.map(({ id }) => `--landlord-node=${old.name}/${id}`);
    const all = await old.nodeProcesses();
    const own = all.filter(({ command }) => command.split(' ').some((argument) => flags.includes(argument)));
    return own.sort((one, other) => one.pid - other.pid);
  }

  async function leaveDeliveryWaiting(): Promise<{ secret: string; refused: ReceivedRequest }> {
    const destination = `${receiver.url}${HOOK}`;
    const created = await old.main().post(`${old.tenant}/channels`, { channel: 'webhook', name: 'hook', destination });
    const { id, secret } = created.body as { id: number; secret: string };
    const subscription = { message_types: ['division_created'] };
    const subscribed = await old.main().post(`${old.tenant}/channels/${id}/subscriptions`, subscription);
    expect([created.status, subscribed.status]).toEqual([201, 201]);
    await old.main().post(`${old.tenant}/divisions`, { name: DIVISION });
    await eventually('the delivery waits for its retry', async () => {
      const rows = await old.rows(
        `select 1 from notification_deliveries where channel_id = $1 and status = 'pending' and attempts > 0`,
        [id],
      );
      return rows.length === 1;
    });
    const [refused] = receiver.at(HOOK);
    if (!refused) throw new TypeError('the receiver stored no request');
    return { secret, refused };
  }

  /** Freezes the agent of a deployment with one node. Returns a function that continues the agent. */
  async function freezeAgent(deployment: string): Promise<() => void> {
    const { nodes } = (await old.detail(deployment)).body as { nodes: SeenNode[] };
    const agent = (await processesOfNodes(nodes)).find(isAgent);
    if (!agent) throw new TypeError('the node has no agent');
    process.kill(agent.pid, 'SIGSTOP');
    return () => void process.kill(agent.pid, 'SIGCONT');
  }

  /** Requests new credentials. The operation sleeps, because the agent of the node is frozen. */
  async function rotateAsleep(deployment: string): Promise<string> {
    const accepted = await old.runtime().post(`/deployments/${deployment}/credentials/rotate`);
    const operation = accepted.headers.get('ld-operation') ?? '';
    await eventually('the operation sleeps', async () => {
      const rows = await old.rows(
        `select 1 from operations
          where id = $1 and status = 'running' and reason is not null and wake_at > now() and lease_until is null`,
        [operation],
      );
      return rows.length === 1;
    });
    return operation;
  }

  /** The old release has left work for the new release. */
  async function requireUnfinished(): Promise<void> {
    const { rotating, requested } = before;
    const unfinished = await old.rows(
      `select id from operations where id = any($1::bigint[]) and status in ('pending', 'running')`,
      [[rotating.operation, requested.operation]],
    );
    expect(unfinished).toHaveLength(2);
  }

  it('gets reports of the agents, and its changes reach the nodes', async () => {
    const isReported = async () => {
      const { body } = await old.runtime().get(`/deployments/${before.cluster.id}/metrics`);
      return body.length === 3 && body.every(({ at }: { at: string }) => at > upgradedAt);
    };
    // An agent waits longer after each failed request.
    await eventually('all nodes have reported to the new gateway', isReported, 60_000);

    await permit(before.cluster.id, 'after', { broker_http: true });

    for (const { endpoints } of before.nodes)
      await eventually(`${endpoints.http} opens`, () => fetch(`http://${endpoints.http}/ping`).catch(() => null));
    await eventually('the nodes report the newest document', async () => {
      const behind = await old.rows(
        `select 1 from nodes n join node_documents d on d.node_id = n.id
          where n.deployment_id = $1 and n.observed_generation is distinct from d.generation`,
        [before.cluster.id],
      );
      return behind.length === 0;
    });
    const { body } = await old.detail(before.cluster.id);
    expect([body.status, ...body.nodes.map(({ status }: SeenNode) => status)]).toEqual([
      'initialized',
      ...Array<string>(3).fill('running'),
    ]);
  });

  it.each(['rotating', 'requested'] as const)('finishes the operation of the deployment "%s"', async (name) => {
    const { id, operation } = before[name];

    expect(await old.outcome(operation)).toMatchObject({ status: 'succeeded' });

    const { body } = await old.detail(id);
    expect(body.status).toBe('initialized');
    if (name === 'requested') await permit(id, 'works', { broker_tcp: true });
    const client = await connectTo(body.nodes[0].endpoints.tcp, await loginOf(id));
    const arrived = new Promise((resolve) => client.once('message', (_topic, text) => resolve(text.toString())));
    await client.subscribeAsync('works', { qos: 1 });
    await client.publishAsync('works', 'yes', { qos: 1 });
    expect(await arrived).toBe('yes');
    await client.endAsync(true);
  });

  it('delivers the waiting notification with its id and a valid signature', async () => {
    const delivered = await eventually('the delivery arrives', () => receiver.at(HOOK)[refusals], 120_000);

    expect(delivered.headers['webhook-id']).toBe(before.refused.headers['webhook-id']);
    expect(delivered.text).toBe(before.refused.text);
    const verified = new Webhook(before.secret).verify(delivered.text, delivered.headers as Record<string, string>);
    expect(verified).toMatchObject({ type: 'division_created', data: { name: DIVISION } });
    await eventually('no delivery waits', async () => {
      const rows = await old.rows(`select 1 from notification_deliveries where status = 'pending'`);
      return rows.length === 0;
    });
  });

  it('accepts the key, the session and the password from before', async () => {
    const session = { cookie: before.cookie };

    expect((await old.main().get(old.tenant)).status).toBe(200);
    expect((await old.main(null).get('/account', session)).body.email).toBe(old.bootstrap.owner_email);
    expect(await signIn()).not.toBe('');
  });

  it('verifies the audit of both releases', async () => {
    const { body } = await eventually('everything is sealed', async () => {
      const answer = await old.main().get(`/audit${old.tenant}/verify`);
      return answer.body.unsealed === 0 ? answer : null;
    });

    expect(body).toMatchObject({ valid: true });
  });

  it('opens no incident, and its doctor finds nothing to repair', async () => {
    expect(JSON.parse(await old.landlord('ops', 'incidents', 'list', '--json'))).toEqual([]);
    expect(await old.landlord('doctor')).not.toMatch(/^(fail|warn)/m);
  });

  it('leaves agents and brokers running, each with its pid and the code of the older release', async () => {
    const now = await processesOfNodes(before.nodes);

    expect(before.processes).toHaveLength(6);
    expect(now).toEqual(before.processes);
    expect(now.every(({ command }) => command.includes(place.checkout))).toBe(true);
  });

  it('disconnects no MQTT client, and loses no message', async () => {
    await traffic.flows();
    const missing = await traffic.missing();

    expect(traffic.interruptions).toEqual([]);
    expect(missing).toEqual([[], [], []]);
  });

  it('replaces an agent that an operator ends by an agent of this release, which restarts its broker', async () => {
    const { nodes } = (await old.detail(before.rotating.id)).body as { nodes: SeenNode[] };
    const [agent] = (await processesOfNodes(nodes)).filter(isAgent);
    process.kill(agent?.pid ?? 0, 'SIGTERM');

    await eventually(
      'both processes of the node are of this release',
      async () => {
        const now = await processesOfNodes(nodes);
        return now.length === 2 && now.every(({ command }) => !command.includes(`${place.checkout}/`));
      },
      60_000,
    );
    await (await connectTo(nodes[0]?.endpoints.tcp ?? '', await loginOf(before.rotating.id))).endAsync(true);
  });

  it('leaves no process after its end', async () => {
    await traffic.stop();
    await old.stop();

    expect(processesOf(place.directory)).toEqual([]);
  });
});

const isAgent = ({ command }: { command: string }): boolean => command.includes('/agent.main.js');
