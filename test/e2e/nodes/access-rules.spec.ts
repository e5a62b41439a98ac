import { createConnection } from 'node:net';
import { BROKER_OF_THE_RUN, eventually, TestCloud, TestDeployment } from '@libs/testing';
import WebSocket from 'ws';

const TCP = { broker_tcp: true };
/** The first bytes of a client: a frame that asks whether the server is there, or a packet of MQTT. */
const GREETING = BROKER_OF_THE_RUN === 'iggy' ? '\x04\0\0\0\x01\0\0\0' : '\x10\x0c\0\x04MQTT\x04\x02\0\x3c\0\0';

/** Access rules on real nodes, as clients of the broker see them. */
describe('An access rule', () => {
  let cloud: TestCloud;
  let deployment: TestDeployment;
  let path: string;
  beforeAll(async () => {
    cloud = await TestCloud.borrow();
    deployment = await TestDeployment.largest(cloud);
    path = `${deployment.live}/access_rules`;
  });
  afterAll(() => cloud.stop());

  const rules = async (): Promise<{ id: number; name: string }[]> => (await cloud.runtime().get(path)).body;
  const clear = async (): Promise<void> => {
    for (const { id } of await rules()) await cloud.runtime().delete(`${path}/${id}`);
  };
  beforeEach(clear);

  it('admits clients of its CIDRs on every node, and its deletion disconnects them', async () => {
    const indexes = [...(await deployment.nodes()).keys()];
    await expect(deployment.client()).rejects.toThrow();
    const { headers, body } = await cloud
      .runtime()
      .post(path, { name: 'office', cidr_blocks: ['127.0.0.0/8'], rules: TCP });
    const clients = await Promise.all(indexes.map((index) => deployment.admits(index)));

    const ended = await cloud.runtime().delete(`${path}/${body.id}`);
    await Promise.all(clients.map(({ cut }) => cut));

    expect(headers.get('ld-access-rule')).toBe(String(body.id));
    expect(body).toMatchObject({
      ...{ name: 'office', cidr_blocks: ['127.0.0.0/8'], valid_to: null, remarks: null, unavailable: [] },
      rules: { broker_tcp: true, broker_http: false, broker_websocket: false, broker_udp: false },
    });
    expect(ended.status).toBe(204);
    expect(await rules()).toEqual([]);
    await expect(deployment.client(indexes.at(-1))).rejects.toThrow();
  });

  it('disconnects no client that another rule admits', async () => {
    await deployment.permit();
    const doomed = await deployment.permit({ rules: TCP });
    const client = await deployment.admits((await deployment.nodes()).length - 1);

    await cloud.runtime().delete(`${path}/${doomed}`);
    await publishedEverywhere();

    await client.write('still/here', 'yes');
    await client.close();
  });

  it('opens only the protocols that it names', async () => {
    const [node] = await deployment.nodes();
    await deployment.permit({ rules: { broker_http: true, broker_udp: true } });
    const ping = await eventually('HTTP is open', () => fetch(`http://${node?.endpoints.http}/ping`).catch(() => null));

    expect(ping.status).toBe(200);
    expect(await answers(node?.endpoints.tcp ?? '')).toBe(false);
    expect(await opens(`ws://${node?.endpoints.websocket}`)).toBe(false);
    expect(node?.endpoints.udp).toBeNull();
    expect((await cloud.runtime().get(path)).body[0]).toMatchObject({ unavailable: ['broker_udp'] });
  });

  it('ends at its `valid_to` on every node, also without the supervisor', async () => {
    await deployment.permit({ rules: TCP, valid_to: new Date(Date.now() + 3_000).toISOString() });
    const nodes = await deployment.nodes();
    const client = await deployment.admits(nodes.length - 1);

    await cloud.supervisor.kill();
    await client.cut;

    expect(await answers(nodes.at(-1)?.endpoints.tcp ?? '')).toBe(false);
    await cloud.supervisor.start();
  });

  it.each([
    ['no CIDR', { cidr_blocks: [] }, '/cidr_blocks'],
    ['a CIDR of IPv6', { cidr_blocks: ['10.0.0.0/8', '::/0'] }, '/cidr_blocks/1'],
    ['an address without bits', { cidr_blocks: ['10.0.0.1'] }, '/cidr_blocks/0'],
    ['what is no CIDR', { cidr_blocks: [7] }, '/cidr_blocks/0'],
    ['no protocol', { rules: { broker_tcp: false } }, '/rules'],
    ['an unknown protocol', { rules: { broker_quic: true } }, '/rules/broker_quic'],
    ['an end in the past', { valid_to: '2020-01-01T00:00:00Z' }, '/valid_to'],
    ['a name with other signs', { name: 'a/b' }, '/name'],
    ['a name of spaces', { name: '   ' }, '/name'],
    ['remarks that are too long', { remarks: 'x'.repeat(501) }, '/remarks'],
  ])('is refused with %s', async (_, fault, field) => {
    const answer = await cloud.runtime().post(path, { name: 'r', cidr_blocks: ['10.0.0.0/8'], rules: TCP, ...fault });

    expect(answer).toBeProblem('validation_failed');
    expect(answer.body.field_issues.map((issue: { path: string }) => issue.path)).toContain(field);
    expect(await rules()).toEqual([]);
  });

  it('has a unique name in the deployment, ignoring case', async () => {
    const rule = { cidr_blocks: ['10.0.0.0/8'], rules: TCP };
    const { body } = await cloud.runtime().post(path, { name: 'Office', ...rule });

    expect(await cloud.runtime().post(path, { name: 'oFFice', ...rule })).toBeProblem('name_taken', { id: body.id });
  });

  it('of another deployment is not found', async () => {
    expect(await cloud.runtime().delete(`${path}/999999`)).toBeProblem('access_rule_not_found');
    expect(await cloud.runtime().delete(`${path}/office`)).toBeProblem('access_rule_not_found');
  });

  const publishedEverywhere = (): Promise<unknown> =>
    eventually('all nodes have the newest document', async () => {
      const waiting = await cloud.rows(
        `select 1 from nodes n join node_documents d on d.node_id = n.id
          where n.deployment_id = $1 and n.observed_generation < d.generation`,
        [deployment.id],
      );
      return waiting.length === 0;
    });
});

/** Whether the port answers the first packet of a client; the gate resets a denied client without a byte. */
async function answers(endpoint: string): Promise<boolean> {
  const [host = '', port = ''] = endpoint.split(':');
  return new Promise((resolve) => {
    const socket = createConnection({ host, port: Number(port) }, () => socket.write(GREETING));
    socket.once('data', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
  });
}

const opens = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = new WebSocket(url, BROKER_OF_THE_RUN === 'iggy' ? [] : 'mqtt');
    socket.once('open', () => resolve(true));
    socket.once('error', () => resolve(false));
  });
