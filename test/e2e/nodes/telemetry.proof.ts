import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RELEASE } from '@libs/domain/release';
import { KeyCommands } from '@libs/operator';
import {
  eventually,
  EventStream,
  FORMS_CLUSTERS,
  given,
  TestCloud,
  TestDeployment,
  type SeenNode,
} from '@libs/testing';

/** Short, so that several reports arrive within seconds. */
const ENV = { NODE_UNREACHABLE_SECONDS: '8' };
const SAMPLE = /^(landlord_node_[a-z_]+)\{((?:[a-z_]+="[^"\\\n]*",?)+)\} (-?\d+(?:\.\d+)?)$/;

describe('The telemetry of a deployment', () => {
  let cloud: TestCloud;
  let deployment: TestDeployment;
  let nodes: SeenNode[];

  beforeAll(async () => {
    cloud = await TestCloud.start({ env: ENV });
    deployment = await TestDeployment.largest(cloud);
    nodes = await deployment.nodes();
    await eventually(
      'all nodes have sent lines',
      async () => (await from('/logs')).body.total_results >= 5 * nodes.length,
    );
  });
  afterAll(() => cloud.stop());

  const from = (path: string, key: string | null = cloud.key) => cloud.runtime(key).get(`${deployment.live}${path}`);
  /** With fewer nodes than the test names, the last one. */
  const nodeId = (index = 0): number => (nodes[index] ?? nodes.at(-1))?.id ?? 0;
  const fileOf = (index: number, name: string): string => join(cloud.directory, 'nodes', String(nodeId(index)), name);
  const messagesOf = async (query: string): Promise<string[]> =>
    (await from(`/logs?${query}`)).body.items.map(({ message }: { message: string }) => message);
  /** Writes a line as a process of the node does. */
  const print = (index: number, line: object): Promise<void> =>
    appendFile(fileOf(index, 'broker.log'), `${JSON.stringify({ time: new Date().toISOString(), ...line })}\n`);

  it('returns the newest metrics of each node, and omits unknown values', async () => {
    await deployment.permit();
    const client = await deployment.admits();
    const leader = await eventually('the client is counted', async () => {
      const { body } = await from('/metrics');
      return body.find(({ node_id, metrics }: any) => node_id === nodeId() && metrics.clients === 1);
    });
    await client.close();

    expect(leader).toMatchObject({ node: 'node-1', runtime: 'broker', reachable: true });
    expect(leader.metrics).toMatchObject({ memory_bytes: expect.any(Number), bytes_in: expect.any(Number) });
    // The embedded broker reports its topics, nats does not; only iggy has partitions.
    const { driver = '' } = (await deployment.nodes())[0] ?? {};
    expect(leader.metrics.topics).toBe(driver === 'nats' ? undefined : 0);
    const ofIggy = ['partitions', 'segments', 'streams', 'consumer_groups', 'messages'];
    expect(Object.keys(leader.metrics)).toEqual(
      driver === 'iggy' ? expect.arrayContaining(ofIggy) : expect.not.arrayContaining(['partitions']),
    );
    expect((await from('/metrics')).body).toHaveLength(nodes.length);
  });

  it('is available as OpenMetrics, and each line follows the grammar', async () => {
    const { status, headers } = await from('/metrics/prometheus');
    const response = await fetch(`${cloud.supervisor.url}${deployment.live}/metrics/prometheus`, {
      headers: { 'ld-api-key': cloud.key },
    });
    const text = await response.text();

    expect([status, headers.get('content-type')]).toEqual([
      200,
      'application/openmetrics-text; version=1.0.0; charset=utf-8',
    ]);
    const families = parseOpenMetrics(text);
    expect(families.get('landlord_node_up')).toMatchObject({ type: 'gauge' });
    expect(families.get('landlord_node_bytes_in')).toMatchObject({ type: 'counter' });
    const up = families.get('landlord_node_up')?.samples ?? [];
    expect(up.map(({ labels, value }) => [labels['node_id'], labels['runtime'], value])).toEqual(
      nodes.map(({ id }) => [String(id), 'broker', 1]),
    );
  });

  it('has series with a step that fits the period', async () => {
    const series = (query: string) => from(`/nodes/${nodeId()}/metrics/broker?${query}`);
    const { status, body } = await series('');
    const week = (await series('from=2026-01-01&to=2026-01-08')).body;

    expect(status).toBe(200);
    expect(body).toMatchObject({ node_id: nodeId(), runtime: 'broker', step: 60 });
    expect(body.points.length).toBeGreaterThan(0);
    expect(body.points.at(-1)).toMatchObject({ at: expect.any(String), metrics: { memory_bytes: expect.any(Number) } });
    expect(week).toMatchObject({ step: 3_600, points: [] });
    for (const bad of ['step=59', 'step=90', 'from=x', 'from=2026-01-02&to=2026-01-01', 'step=60&from=2020-01-01'])
      expect(await series(bad)).toBeProblem('validation_failed');
    expect(await from(`/nodes/${nodeId()}/metrics/nonsense`)).toBeProblem('validation_failed');
  });

  it('counts heartbeats per node and minute', async () => {
    const all = (await from('/heartbeats?results=100')).body;
    const one = (await from(`/nodes/${nodeId(1)}/heartbeats`)).body;

    expect(new Set(all.items.map(({ node_id }: any) => node_id))).toEqual(new Set(nodes.map(({ id }) => id)));
    expect(all.total_results).toBe(all.items.length);
    expect(one.items.every(({ node_id }: any) => node_id === nodeId(1))).toBe(true);
    expect(one.items[0]).toMatchObject({ count: expect.any(Number), status: 'running', agent_version: RELEASE });
  });

  it('returns node_not_found for a node of another deployment', async () => {
    for (const path of ['metrics/broker', 'heartbeats'])
      for (const id of ['999999', 'x']) expect(await from(`/nodes/${id}/${path}`)).toBeProblem('node_not_found');
  });

  it('filters lines by runtime, node, level, text and time', async () => {
    await print(1, { level: 'warn', msg: '100% of Queue_7 is full' });
    const found = () => messagesOf('level=warn&runtime=broker&message=is+full');
    await eventually('the line has come', async () => (await found()).length > 0);

    expect(await messagesOf('message=QUEUE_7')).toEqual(['100% of Queue_7 is full']);
    expect(await messagesOf('message=100%25%20of')).toEqual(['100% of Queue_7 is full']);
    expect(await messagesOf('message=Queue%257')).toEqual([]);
    if (FORMS_CLUSTERS) expect(await messagesOf(`message=queue_7&node=${nodeId()}`)).toEqual([]);
    expect(await messagesOf('message=queue_7&runtime=agent')).toEqual([]);
    expect(await messagesOf(`to=${new Date(Date.now() - 3_600_000).toISOString()}`)).toEqual([]);
    const { body } = await from(`/logs?runtime=agent&node=${nodeId(2)}&level=info&results=2`);
    expect(body).toMatchObject({ page: 1, items: [{ node_id: nodeId(2) }, { level: 'info' }] });
    expect(body.total_results).toBeGreaterThan(2);
  });

  it.each(['level=loud', 'runtime=x', 'node=0', 'from=x', 'message=', 'results=101', 'from=2026-01-02&to=2026-01-01'])(
    'refuses the filter %s for lines',
    async (query) => {
      expect(await from(`/logs?${query}`)).toBeProblem('validation_failed');
    },
  );

  it('masks secrets in lines', async () => {
    const { password } = await deployment.login();
    await print(0, { level: 'error', msg: `login of ${password} failed` });

    const line = await eventually('the line has come', async () => (await messagesOf('message=login%20of'))[0]);

    expect(line).toBe('login of ******** failed');
    const [row] = await cloud.rows<{ count: number }>(
      'select count(*) from node_logs where position($1 in message) > 0',
      [password],
    );
    expect(row?.count).toBe(0);
  });

  it('streams lines across a restart of the Supervisor, without a lost or repeated line', async () => {
    const url = `${cloud.supervisor.url}${deployment.live}/logs/stream?message=tick`;
    const first = new EventStream(url, cloud.key);
    await eventually('the stream is open', () => first.status === 200);
    await print(0, { level: 'info', msg: 'tick 1' });
    await eventually('the first line', () => first.events.length === 1);

    await cloud.supervisor.kill();
    await first.ended;
    await print(1, { level: 'info', msg: 'tick 2' });
    await cloud.supervisor.start();
    const second = new EventStream(url, cloud.key, first.lastId);
    await print(2, { level: 'info', msg: 'tick 3' });
    await eventually('the other lines', () => second.events.length >= 2);
    second.close();

    const received = [...first.events, ...second.events];
    expect(received.map(({ data }) => data.message).sort()).toEqual(['tick 1', 'tick 2', 'tick 3']);
    expect(received[0]).toMatchObject({ event: 'line', data: { node_id: nodeId(), level: 'info', runtime: 'broker' } });
  });

  it('ends the stream of a revoked key', async () => {
    const key = await given.key(cloud);
    const stream = new EventStream(`${cloud.supervisor.url}${deployment.live}/logs/stream`, key);
    await eventually('it is open', () => stream.status === 200);

    const [newest] = await cloud.rows<{ id: string }>('select max(id) as id from api_keys');
    await cloud.asOperator((session) => new KeyCommands(session).revoke(Number(newest?.id)));
    await stream.ended;

    expect(await from('/logs/stream', key)).toBeProblem('unauthenticated');
    expect(await cloud.runtime().get(`${deployment.live}/logs/stream`, { 'last-event-id': 'x' })).toBeProblem(
      'validation_failed',
    );
  });

  it('is deleted with its deployment', async () => {
    // An environment has one Free deployment.
    const free = FORMS_CLUSTERS ? await TestDeployment.free(cloud) : deployment;
    const path = `${free.live}/logs`;
    await eventually('it has lines', async () => (await cloud.runtime().get(path)).body.total_results > 0);
    await free.delete();

    for (const gone of ['logs', 'metrics', 'heartbeats'])
      expect(await cloud.runtime().get(`${free.live}/${gone}`)).toBeProblem('deployment_not_found');
    await eventually(
      'its rows are gone',
      async () => {
        const counted = await cloud.rows<{ count: number }>(
          `select (select count(*) from node_logs where deployment_id = $1)
                + (select count(*) from node_heartbeats where deployment_id = $1)
                + (select count(*) from node_metrics where deployment_id = $1) as count`,
          [free.id],
        );
        return counted[0]?.count === 0;
      },
      60_000,
    );
  });
});

interface Family {
  type: string;
  samples: { labels: Record<string, string>; value: number }[];
}

/** Parses OpenMetrics 1.0 as strictly as the exposition needs; throws at the first invalid line. */
function parseOpenMetrics(text: string): Map<string, Family> {
  const families = new Map<string, Family>();
  const lines = text.split('\n');
  if (lines.pop() !== '' || lines.pop() !== '# EOF') throw new TypeError('it does not end with # EOF');
  let last: [string, Family] = ['', { type: '', samples: [] }];
  for (const line of lines) {
    const [, kind, name = '', rest = ''] = /^# (TYPE|HELP) ([a-z_]+) (.+)$/.exec(line) ?? [];
    if (kind === 'TYPE') last = begin(families, name, rest);
    else if (kind !== 'HELP' || name !== last[0]) last[1].samples.push(sampleOf(line, last));
  }
  return families;
}

function begin(families: Map<string, Family>, name: string, type: string): [string, Family] {
  if (families.has(name)) throw new TypeError(`${name} comes twice`);
  const family: Family = { type, samples: [] };
  families.set(name, family);
  return [name, family];
}

/** Parses a sample of the family. */
function sampleOf(line: string, [name, { type }]: [string, Family]): Family['samples'][number] {
  const [, sample, labels = '', value] = SAMPLE.exec(line) ?? [];
  if (name === '' || sample !== (type === 'counter' ? `${name}_total` : name)) throw new TypeError(line);
  const pairs = [...labels.matchAll(/([a-z_]+)="([^"]*)"/g)].map(([, label = '', of = '']) => [label, of]);
  return { labels: Object.fromEntries(pairs), value: Number(value) };
}
