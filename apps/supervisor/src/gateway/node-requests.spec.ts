import { NodeRequestsRepository } from '@libs/persistence/runtime';
import { eventually, type PlayedNode } from '@libs/testing';
import { GatewayUnderTest } from '../../test/gateway.fixture.js';

const BODY = { instance_id: 1, action: 'list', page: 1, results: 10 } as const;
const PATH = '/agent/v1/requests';

describe('Requests to a node', () => {
  let gateway: GatewayUnderTest;
  let requests: NodeRequestsRepository;
  let node: PlayedNode;
  let other: PlayedNode;

  beforeAll(async () => {
    gateway = await GatewayUnderTest.open();
    requests = new NodeRequestsRepository(gateway.bench.database);
  });
  afterAll(() => gateway.close());
  beforeEach(async () => {
    const deployment = await gateway.deployment();
    [node, other] = [await gateway.node(deployment), await gateway.node(deployment)];
  });

  const answer = (of: PlayedNode, id: number, result: object = {}): Promise<Response> =>
    of.send({ path: PATH, body: JSON.stringify({ epoch: 1, id, answer: '{"count":1}', error: null, ...result }) });

  it('wake its waiting call, and are answered once', async () => {
    const waiting = node.send({ method: 'GET', path: `${PATH}?wait=20` });
    const id = await requests.ask(node.id, BODY);

    const response = await waiting;
    expect([response.status, ((await response.json()) as any).requests]).toEqual([200, [{ id, body: BODY }]]);
    expect((await answer(node, id ?? 0)).status).toBe(200);
    await answer(node, id ?? 0, { answer: '{"count":2}' });
    expect(await requests.take(id ?? 0)).toEqual({ answer: '{"count":1}', error: null });
    expect((await node.send({ method: 'GET', path: PATH })).status).toBe(204);
  });

  it('are neither shown to another node nor answered by it', async () => {
    const id = (await requests.ask(node.id, BODY)) ?? 0;
    expect((await other.send({ method: 'GET', path: PATH })).status).toBe(204);
    await answer(other, id);
    expect(await requests.take(id)).toBeNull();
  });

  it('are limited in number and in the size of their answers', async () => {
    const ids = [];
    for (let count = 0; count < 21; count++) ids.push(await requests.ask(node.id, BODY));
    expect([ids.slice(0, 20).includes(null), ids[20]]).toEqual([false, null]);
    const id = ids[0] ?? 0;
    expect((await answer(node, id, { answer: 'x'.repeat(256 * 1024 + 1) })).status).toBe(400);
    expect((await answer(node, id, { answer: 'x'.repeat(600 * 1024) })).status).toBe(413);
    expect((await answer(node, id, { answer: 'with \u0000' })).status).toBe(400);
    expect((await answer(node, id, { epoch: 9 })).status).toBe(409);
    expect(await requests.take(id)).toBeNull();
  });
});

describe('What connectors have moved', () => {
  let gateway: GatewayUnderTest;
  beforeAll(async () => {
    gateway = await GatewayUnderTest.open();
  });
  afterAll(() => gateway.close());

  it('is stored by instance, and as metrics of their own runtime', async () => {
    const deployment = await gateway.deployment();
    const node = await gateway.node(deployment);
    const gauges = { cpu_percent: 3, memory_bytes: 10, connectors_cpu_percent: 1.5, connectors_memory_bytes: 20 };
    const counts = { connectors_messages_moved: 7, connectors_messages_failed: 2, connectors_lag: 1 };
    const report = { instance_id: 1, status: 'running' as const, config_id: 1, error: null, messages: 7 };
    const more = { failed: 2, lag: 1, last_error: 'no JSON', dead_letters: 2, dead_letters_dropped: 0 };
    const answer = await node.status({ stats: { ...gauges, ...counts }, connectors: [{ ...report, ...more }] });
    expect(answer.status).toBe(200);

    const rows = (text: string) => gateway.bench.rows<any>(text, [node.id]);
    await eventually(
      'the metrics',
      async () => (await rows('select from node_metrics where node_id = $1')).length === 2,
    );
    expect(
      await rows(`select runtime, cpu_percent, memory_bytes, messages_moved, messages_failed, lag from node_metrics
                   where node_id = $1 order by runtime`),
    ).toEqual([
      { runtime: 'broker', cpu_percent: 3, memory_bytes: 10, messages_moved: null, messages_failed: null, lag: null },
      { runtime: 'connectors', cpu_percent: 1.5, memory_bytes: 20, messages_moved: 7, messages_failed: 2, lag: 1 },
    ]);
    expect(await rows('select connector_counts as counts from nodes where id = $1')).toEqual([
      { counts: [{ instance_id: 1, moved: 7, ...more }] },
    ]);
  });
});
