import type { SeenNode } from '@libs/testing';
import {
  describeWithUnprovenIggy,
  eventually,
  IggyHttp,
  numbered,
  TestCloud,
  TestDeployment,
  UNPROVEN_IGGY_RELEASE,
  UNPROVEN_IGGY_SETTINGS,
} from '@libs/testing';

const BATCH = 10;
const BATCHES = 30;
const NEW_LEADER_MS = 60_000;

/** The used members of `GET /cluster/metadata`. */
interface Metadata {
  nodes: { name: string; role: string; endpoints: { http: number } }[];
}

const serverOf = (node: SeenNode | undefined): number => node?.runtimes[0]?.pid ?? 0;

describeWithUnprovenIggy('A cluster of an unproven release of iggy', () => {
  let cloud: TestCloud;
  let deployment: TestDeployment;
  let token: string;
  beforeAll(async () => {
    cloud = await TestCloud.start({ env: UNPROVEN_IGGY_SETTINGS });
    deployment = await TestDeployment.paid(cloud);
    await deployment.permit();
  });
  afterAll(() => cloud.stop());

  const portsOf = (nodes: SeenNode[]): number[] => nodes.map(({ endpoints }) => Number(endpoints.http?.split(':')[1]));

  /** The leader, as any of the nodes tells it, and a client of its HTTP port. Null while none is known. */
  async function leader(ports: number[]): Promise<{ name: string; client: IggyHttp } | null> {
    for (const port of ports) {
      const asked = await within(IggyHttp.anonymous(port).withToken(token).call<Metadata>('GET', '/cluster/metadata'));
      const found = asked?.status === 200 ? asked.body.nodes.find(({ role }) => role === 'leader') : undefined;
      if (found) return { name: found.name, client: IggyHttp.anonymous(found.endpoints.http).withToken(token) };
    }
    return null;
  }

  it('says that the release is not proven, and that the broker replicates', async () => {
    const nodes = await deployment.nodes();

    for (const node of nodes)
      expect(node).toMatchObject({
        ...{
          driver: 'iggy',
          proven: false,
          replication: 'broker',
          endpoints: { tcp: null, udp: null, websocket: null },
        },
        status_reason: null,
        runtimes: [{ status: 'running', version: UNPROVEN_IGGY_RELEASE }],
      });
    expect(new Set(portsOf(nodes)).size).toBe(3);
  });

  it('keeps every acknowledged message when its leader is killed', async () => {
    const nodes = await deployment.nodes();
    const ports = portsOf(nodes);
    const { username, password } = await deployment.login();
    const first = await eventually(
      'a client signs in',
      () => IggyHttp.signIn(ports[0] ?? 0, password, username).catch(() => null),
      NEW_LEADER_MS,
    );
    token = first.token ?? '';
    const before = await eventually('the cluster has a leader', () => leader(ports), NEW_LEADER_MS);
    await before.client.createTopic('orders');

    const acknowledged: string[] = [];
    let { client } = before;
    for (let batch = 0; batch < BATCHES; batch += 1) {
      const texts = numbered(BATCH, batch * BATCH);
      if (batch === BATCHES / 2) process.kill(serverOf(nodes.find(({ name }) => name === before.name)), 'SIGKILL');
      await eventually(
        'a leader acknowledges the batch',
        async () => {
          if ((await within(client.send('orders', texts))) === 201) return true;
          client = (await leader(ports))?.client ?? client;
          return false;
        },
        NEW_LEADER_MS,
      );
      acknowledged.push(...texts);
    }

    const stored = new Set(await client.poll('orders', 10_000));
    expect(acknowledged.filter((text) => !stored.has(text))).toEqual([]);
    const after = await leader(ports);
    expect(after?.name).not.toBe(before.name);
    await eventually('the killed server runs again', async () =>
      (await deployment.nodes()).every((node) => node.status === 'running' && serverOf(node) > 0),
    );
  });

  it('keeps every message over an upgrade of all its nodes', async () => {
    const before = (await deployment.nodes()).map(serverOf);

    await deployment.succeeds(await cloud.main().post(`${deployment.path}/upgrade`, { tier: 'medium' }));

    const nodes = await deployment.nodes();
    expect(nodes).toMatchObject(Array(3).fill({ status: 'running', variant: 'medium' }));
    expect(nodes.map(serverOf).filter((pid) => before.includes(pid))).toEqual([]);
    const { client } = await eventually('the cluster has a leader', () => leader(portsOf(nodes)), NEW_LEADER_MS);
    expect(await client.poll('orders', 10_000)).toHaveLength(BATCH * BATCHES);
  });

  it('says that the servers do not answer writes while most of the machines stand still', async () => {
    const nodes = await deployment.nodes();
    const ports = portsOf(nodes);
    const { name, client } = await eventually('the cluster has a leader', () => leader(ports), NEW_LEADER_MS);
    const others = nodes.filter((node) => node.name !== name);
    const stopped = [...others.map(serverOf), ...(await agentsOf(others))];
    for (const pid of stopped) process.kill(pid, 'SIGSTOP');
    try {
      const answer = client.call<{ code: string }>('POST', '/streams', { name: 'during the stall' });
      const told = await eventually(
        'the node tells the stall',
        async () => {
          const node = (await deployment.nodes()).find((one) => one.name === name);
          return node?.status === 'running' ? null : node;
        },
        NEW_LEADER_MS,
      );
      expect(told).toMatchObject({
        status: 'starting',
        status_reason: expect.stringMatching(/^iggy-server takes writes/),
      });
      expect(await answer).toMatchObject({ status: 504, body: { code: 'broker_timeout' } });
    } finally {
      for (const pid of stopped) process.kill(pid, 'SIGCONT');
    }

    await eventually('all nodes serve again', async () =>
      (await deployment.nodes()).every(({ status }) => status === 'running'),
    );
    const again = await eventually('the cluster has a leader', () => leader(ports), NEW_LEADER_MS);
    expect(await again.client.poll('orders', 10_000)).toHaveLength(BATCH * BATCHES);
  });

  async function agentsOf(nodes: SeenNode[]): Promise<number[]> {
    const ids = new Set(nodes.map(({ id }) => String(id)));
    const all = await cloud.nodeProcesses();
    const agents = all.filter(({ command }) => command.includes('agent.main'));
    return agents
      .filter(({ command }) => ids.has(/--landlord-node=[^/]+\/(\d+)/.exec(command)?.[1] ?? ''))
      .map(({ pid }) => pid);
  }
});

/** Null when the call fails, or takes longer than a client of a cluster waits before it asks for the leader again. */
function within<T>(call: Promise<T>): Promise<T | null> {
  const late = new Promise<null>((resolve) => setTimeout(resolve, 5_000, null).unref());
  return Promise.race([call.catch(() => null), late]);
}
