import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { jest } from '@jest/globals';
import { attackGateway, eventually, worstRequests, type PlayedNode } from '@libs/testing';
import { GatewayUnderTest } from '../../test/gateway.fixture.js';
import { GATEWAY_LIMITS, type GatewayLimits } from './gateway-limits.js';

/** Rate limits apply only in tests that set them. */
const UNLIMITED = { aSecond: 1e6, atOnce: 1e6 };
const GENEROUS = { status: UNLIMITED, logs: UNLIMITED, reads: UNLIMITED };
const connections = (changes: Partial<GatewayLimits['connections']>): GatewayLimits['connections'] => ({
  ...GATEWAY_LIMITS.connections,
  ...changes,
});
const SEED = Number(process.env['ATTACK_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

/** Texts that PostgreSQL refuses: the first in every text, the others in stored JSON. */
const NUL = 'a\0b';
const POISONS = [NUL, 'a\ud800', '\udc00a'];

describe('The gateway, with a node that sends texts that the database refuses,', () => {
  let gateway: GatewayUnderTest;
  let bad: PlayedNode;
  let good: PlayedNode[];

  beforeAll(async () => {
    gateway = await GatewayUnderTest.open({ limits: GENEROUS });
  });
  afterAll(() => gateway.close());
  beforeEach(async () => {
    bad = await gateway.node(await gateway.deployment());
    const deployment = await gateway.deployment();
    good = [await gateway.node(deployment), await gateway.node(deployment), await gateway.node(deployment)];
  });

  it('refuses the worst body of every kind on every route with 400 or 413, and still answers other nodes', async () => {
    for (const request of worstRequests(bad)) {
      const answer = await bad.send(request);
      expect(`${request.name}: ${answer.status}`).toMatch(/: 4(00|13)$/);
      await answer.arrayBuffer();
    }
    expect((await Promise.all(good.map((node) => node.status()))).map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it.each([
    ['an agent version', (poison: string) => ({ agent_version: poison })],
    ['the last error of a broker', (poison: string) => ({ runtimes: [runtime({ last_error: poison })] })],
    ['the version of a broker', (poison: string) => ({ runtimes: [runtime({ version: poison })] })],
    ['a hash', (poison: string) => ({ observed: { timeline: 1, generation: 1, hash: poison } })],
    ['the name of a gauge', (poison: string) => ({ stats: { [poison]: 1 } })],
    [
      'the error of a connector',
      (poison: string) => ({
        connectors: [{ instance_id: 1, status: 'failed' as const, config_id: 1, error: poison, messages: 0 }],
      }),
    ],
    [
      'the error of an order',
      (poison: string) => ({ orders: [{ id: 1, status: 'failed' as const, error: poison, parts: {} }] }),
    ],
  ])('stores all reports of other nodes when %s bypasses the schema', async (_, changes) => {
    for (const [index, poison] of POISONS.entries()) {
      const orders = await gateway.orders(good);
      const before = await gateway.seen(good);

      gateway.slipPast(bad, bad.statusOf(changes(poison)));
      for (const [place, id] of orders.entries())
        await good[place]?.status({ orders: [{ id, status: 'done', error: null, parts: {} }] });
      await gateway.settle();

      for (const [place, seenAt] of (await gateway.seen(good)).entries())
        expect(seenAt).toBeGreaterThan(before[place] ?? Infinity);
      expect(await gateway.orderStatuses(orders)).toEqual(['done', 'done', 'done']);
      // The first report of a minute is written at once.
      if (index === 0) expect(await gateway.beats(good)).toEqual([1, 1, 1]);
    }
  });

  it('reports repeated drops to the owners of the bad node once, and counts each', async () => {
    const before = await gateway.dropped('status');
    for (const version of [NUL, `${NUL}2`, `${NUL}3`]) {
      gateway.slipPast(bad, bad.statusOf({ agent_version: version }));
      await gateway.settle();
    }

    expect(await gateway.lines(bad)).toEqual([
      'A status report of this node was dropped. Landlord cannot store a value in the status report.',
    ]);
    expect(await gateway.lines(...good)).toEqual([]);
    expect(await gateway.seen([bad])).toEqual([0]);
    expect(await gateway.dropped('status')).toBe(before + 3);
  });

  it('stores the lines of other nodes when a batch bypasses the schema, and refuses that batch', async () => {
    const before = await gateway.dropped('log_batch');
    const poisoned = gateway.slipLinesPast(bad, NUL).catch((error: unknown) => error);
    const stored = await Promise.all(good.map((node) => node.log(`of ${node.id}`)));

    expect(stored.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await gateway.lines(...good)).toEqual(good.map(({ id }) => `of ${id}`));
    expect(await poisoned).toMatchObject({ status: 400 });
    expect(await gateway.dropped('log_batch')).toBe(before + 1);
  });

  it('keeps reports while the database is unavailable, and drops none', async () => {
    const [one] = good as [PlayedNode];
    // The gateway caches the credential from the second call on.
    for (const version of ['1', '2']) await one.status({ agent_version: version });
    await gateway.settle();
    const [before, [seenBefore = 0]] = [await gateway.dropped('status'), await gateway.seen([one])];
    const heal = gateway.breakDatabase();
    expect((await one.status({ agent_version: '3' })).status).toBe(200);
    await gateway.settle();
    heal();
    expect(await gateway.seen([one])).toEqual([seenBefore]);
    await one.status({ agent_version: '3' });
    await gateway.settle();

    expect((await gateway.seen([one]))[0]).toBeGreaterThan(seenBefore);
    expect(await gateway.lines(one)).toEqual([]);
    expect(await gateway.dropped('status')).toBe(before);
  });

  it('loses no report of other nodes during 3 seconds of random requests', async () => {
    console.log(`ATTACK_SEED=${SEED}`);
    const attack = attackGateway({ nodes: [bad], seconds: 3, seed: SEED });
    let isOver = false;
    void attack.then(() => (isOver = true));
    const answers: number[] = [];
    while (!isOver) {
      const before = await gateway.seen(good);
      for (const node of good) answers.push((await node.status()).status);
      await eventually('the reports of the good nodes are written', async () =>
        (await gateway.seen(good)).every((seenAt, place) => seenAt > (before[place] ?? Infinity)),
      );
    }
    const report = await attack;

    expect(report).toMatchObject({ faults: [] });
    expect(Object.keys(report.byStatus)).toEqual(expect.arrayContaining(['400']));
    expect(new Set(answers)).toEqual(new Set([200]));
  });
});

describe('The gateway limits each node:', () => {
  let gateway: GatewayUnderTest;
  let node: PlayedNode;

  beforeAll(async () => {
    const limits = { ...GENEROUS, status: { aSecond: 1e-6, atOnce: 3 } };
    gateway = await GatewayUnderTest.open({ limits, dailyLogMib: 1 });
  });
  afterAll(() => gateway.close());
  beforeEach(async () => {
    node = await gateway.node(await gateway.deployment());
  });

  it('answers reports above the rate with 429 and retry-after, without effect on another node', async () => {
    const other = await gateway.node(await gateway.deployment());
    const answers = [];
    for (let report = 0; report < 5; report += 1) answers.push(await node.status());

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429]);
    expect(answers.at(-1)?.headers.get('retry-after')).toBe('1');
    expect((await other.status()).status).toBe(200);
  });

  it('drops log lines above the daily limit, and reports this once', async () => {
    const line = 'x'.repeat(4_000);
    for (let batch = 0; batch < 4; batch += 1)
      expect((await node.log(...Array.from({ length: 400 }, () => line))).status).toBe(200);

    const lines = await gateway.lines(node);
    expect(lines.filter((text) => text === line)).toHaveLength(400);
    expect(lines.filter((text) => text !== line)).toEqual([
      'Landlord drops log lines of this node until 00:00 UTC. The node has sent 1 MiB, the limit of a day.',
    ]);
    expect(await gateway.dropped('log_line')).toBe(1_200);
  });
});

describe('The gateway, with connections without a credential,', () => {
  let gateway: GatewayUnderTest;
  const open: Socket[] = [];

  beforeAll(async () => {
    // The idle timeout must not close these connections.
    const limits = {
      ...{ ...GENEROUS, requestMs: 1_200, idleMs: 1_000_000 },
      connections: connections({ ofNetwork: 5, signInMs: 1_200 }),
    };
    gateway = await GatewayUnderTest.open({ limits });
  });
  afterAll(() => gateway.close());
  afterEach(() => {
    for (const socket of open.splice(0)) socket.destroy();
  });

  const unauthenticatedSocket = async (text = '', port = gateway.port): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    open.push(socket);
    await once(socket, 'connect');
    socket.write(text);
    return socket;
  };
  const portsOf = (sockets: readonly Socket[]) => sockets.map(({ localPort }) => localPort);
  /** A reset is an end, too: the gateway closes while bytes are on the way. */
  const ended = (socket: Socket): Promise<unknown> =>
    socket.destroyed
      ? Promise.resolve()
      : new Promise((resolve) =>
          socket
            .resume()
            .on('error', () => undefined)
            .once('close', resolve),
        );

  it.each([
    ['say nothing', ''],
    ['send half of their headers', 'POST /agent/v1/register HTTP/1.1\r\nhost: x\r\n'],
    ['send a byte of a body', 'POST /agent/v1/register HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{'],
    ['were refused', 'GET /agent/v1/desired HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['ask for what is not there', 'GET / HTTP/1.1\r\nhost: x\r\n\r\n'],
  ])('closes connections that %s', async (_, text) => {
    await ended(await unauthenticatedSocket(text));
  });

  it('closes a connection of an agent that does not complete its body', async () => {
    const node = await gateway.node(await gateway.deployment());
    const head = `POST /agent/v1/status HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${node.id}.${node.secret}\r\n`;
    await ended(await unauthenticatedSocket(`${head}content-length: 100\r\n\r\n{`));
  });

  it('closes the oldest silent connection of a network above its share, and serves an agent at once', async () => {
    // Only the share can close a connection: every time limit is long, and the node of this network gives it no reserve.
    const patient = await GatewayUnderTest.open({
      limits: {
        ...{ ...GENEROUS, requestMs: 1_200_000, idleMs: 1_000_000 },
        connections: connections({ ofNetwork: 5, reserve: 0, signInMs: 1_000_000, handshakeMs: 0 }),
      },
    });
    try {
      const node = await patient.node(await patient.deployment());
      const sockets: Socket[] = [];
      for (let index = 0; index < 6; index += 1) sockets.push(await unauthenticatedSocket('', patient.port));
      await ended(sockets[0] as Socket);
      expect(sockets.slice(1).map(({ destroyed }) => destroyed)).toEqual([false, false, false, false, false]);

      expect((await node.status()).status).toBe(200);
    } finally {
      for (const socket of open.splice(0)) socket.destroy();
      await patient.close();
    }
  });

  it('lets connections above the limit wait, and serves them in turn', async () => {
    const small = await GatewayUnderTest.open({
      limits: {
        ...{ ...GENEROUS, requestMs: 600_000 },
        connections: connections({ unknown: 2, reserve: 0, waiting: 3, signInMs: 600_000, handshakeMs: 600_000 }),
      },
    });
    try {
      const { id, secret } = await small.node(await small.deployment());
      const call = `GET /agent/v1/desired HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${id}.${secret}\r\n\r\n`;
      const silent = [await unauthenticatedSocket('', small.port), await unauthenticatedSocket('', small.port)];
      const signIns = jest.spyOn(small.connections, 'know');
      const agents = [await unauthenticatedSocket(call, small.port), await unauthenticatedSocket(call, small.port)];
      const answers: number[] = [];
      agents.forEach((agent, index) => agent.once('data', () => answers.push(index)));
      await eventually('both wait', async () => small.connections.counts.waiting === 2);
      expect(answers).toEqual([]);

      silent[0]?.destroy();
      await eventually(
        'both agents are answered, because an agent that has shown its credential leaves its place',
        () => answers.length === 2,
      );

      // Their documents are read at the same time, so the answers have no order of their own.
      expect(signIns.mock.calls.map(([socket]) => (socket as Socket).remotePort)).toEqual(portsOf(agents));
      expect(silent[1]?.destroyed).toBe(false);
    } finally {
      for (const socket of open.splice(0)) socket.destroy();
      await small.close();
    }
  });

  it('stops at once, also while connections wait or say nothing', async () => {
    const small = await GatewayUnderTest.open({
      limits: {
        ...{ ...GENEROUS, requestMs: 600_000 },
        connections: connections({ unknown: 1, waiting: 2, handshakeMs: 600_000, signInMs: 600_000 }),
      },
    });
    const sockets = [
      await unauthenticatedSocket('', small.port),
      await unauthenticatedSocket('', small.port),
      await unauthenticatedSocket('', small.port),
    ];

    await small.close();

    await Promise.all(sockets.map(ended));
  });

  it('has at most its number of connections of one node, and the newest replaces the oldest', async () => {
    const { id, secret } = await gateway.node(await gateway.deployment());
    const call = `GET /agent/v1/desired HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${id}.${secret}\r\n\r\n`;
    const before = gateway.connections.counts.known;
    const agents: Socket[] = [];
    for (let index = 0; index < 20; index += 1) {
      const agent = await unauthenticatedSocket(call);
      expect(String((await once(agent, 'data'))[0])).toContain(' 204 ');
      agents.push(agent);
    }

    const { ofCaller } = gateway.connections.limits;
    await Promise.all(agents.slice(0, -ofCaller).map(ended));
    expect(agents.slice(-ofCaller).filter(({ destroyed }) => destroyed)).toEqual([]);
    expect(gateway.connections.counts.known - before).toBeLessThanOrEqual(ofCaller);
  });

  it('makes nobody known with a refused request, and closes its connection', async () => {
    const slow = await GatewayUnderTest.open({ limits: { ...GENEROUS, status: { aSecond: 1e-6, atOnce: 1 } } });
    try {
      const { id, secret } = await slow.node(await slow.deployment());
      const { known } = slow.connections.counts;
      const head = `POST /agent/v1/status HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${id}.${secret}\r\n`;
      const first = await unauthenticatedSocket(`${head}content-length: 2\r\n\r\n{}`, slow.port);
      await once(first, 'data');
      for (let index = 0; index < 20; index += 1) {
        const agent = await unauthenticatedSocket(`${head}content-length: 2\r\n\r\n{}`, slow.port);
        expect(String((await once(agent, 'data'))[0])).toContain(' 429 ');
        await ended(agent);
      }

      expect(slow.connections.counts.known).toBeLessThanOrEqual(known + 1);
    } finally {
      for (const socket of open.splice(0)) socket.destroy();
      await slow.close();
    }
  });

  it.each([
    'POST /agent/v1/register',
    'POST /agent/v1/objects/../register',
    'POST /agent/v1/objects/%2e%2e/register',
    'POST /agent/v1/objects/../machines/join',
    'POST http://gateway/agent/v1/objects/../register',
    'POST /agent/v1/objects?x=1',
    'PUT /agent/v1/objects',
    'DELETE /agent/v1/objects',
    'POST /agent/v1/status',
    'POST /agent/v1/logs',
    'POST /agent/v1/machines/join',
    'POST /agent/v1/machines/status',
    'PUT /agent/v1/artifacts/x',
  ])('cuts a slow body of a caller without a credential: %s', async (line) => {
    const slow = await unauthenticatedSocket(`${line} HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{`);
    const drip = setInterval(() => slow.write(' '), 100);
    try {
      await ended(slow);
    } finally {
      clearInterval(drip);
    }
  });

  it('refuses made-up credentials above the rate of their network without a query, and answers a known agent', async () => {
    const rated = await GatewayUnderTest.open({ limits: { ...GENEROUS, lookups: { aSecond: 1e-6, atOnce: 5 } } });
    try {
      const node = await rated.node(await rated.deployment());
      expect((await node.status()).status).toBe(200);
      expect((await node.status()).status).toBe(200);
      const madeUp = ['Bearer 99.', 'Bearer machine 99.', 'Bearer join 99.'].map((start) => start + 'x'.repeat(43));
      const paths = [
        '/agent/v1/desired',
        '/agent/v1/machines/desired',
        '/agent/v1/machines/programs',
        '/agent/v1/artifacts/x',
      ];
      const statuses = new Map<string, number[]>();
      for (const path of paths)
        for (const authorization of [...madeUp, ...madeUp, ...madeUp]) {
          const { status } = await fetch(`${rated.url}${path}`, { headers: { authorization } });
          statuses.set(path, [...(statuses.get(path) ?? []), status]);
        }

      expect(statuses.get(paths[0] ?? '')?.slice(0, 5)).toEqual([401, 401, 401, 401, 401]);
      for (const path of paths.slice(1)) expect(new Set(statuses.get(path))).toEqual(new Set([429]));
      expect((await node.status()).status).toBe(200);
    } finally {
      await rated.close();
    }
  });

  it('refuses a request with two hosts', async () => {
    const twice = await unauthenticatedSocket('GET /agent/v1/desired HTTP/1.1\r\nhost: x\r\nHost: y\r\n\r\n');
    expect(String((await once(twice, 'data'))[0])).toContain(' 400 ');
  });

  it('does not count a connection after an agent has authenticated on it', async () => {
    const { id, secret } = await gateway.node(await gateway.deployment());
    const call = `GET /agent/v1/desired HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${id}.${secret}\r\n\r\n`;
    for (let index = 0; index < 7; index += 1) {
      const socket = await unauthenticatedSocket(call);
      expect(String((await once(socket, 'data'))[0])).toContain(' 204 ');
    }
    expect(open.filter(({ destroyed }) => destroyed)).toEqual([]);
  });
});

const runtime = (changes: object) => ({
  ...{ runtime: 'broker' as const, status: 'failed' as const, version: '1', started_at: null },
  ...{ pid: null, restarts: 0, last_error: null },
  ...changes,
});
