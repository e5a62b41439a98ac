import type { MachineNodeStatus } from '@libs/domain';
import { NodeAgentsRepository, NodeOrdersRepository } from '@libs/persistence/runtime';
import { PlayedNode } from '@libs/testing';
import { GatewayUnderTest } from '../../../test/gateway.fixture.js';
import { FACTS, machineToken, PlayedMachine, publishArtifacts } from '../../../test/machines.fixture.js';

const UNLIMITED = { aSecond: 1e6, atOnce: 1e6 };
const LIMITS = { status: UNLIMITED, reads: UNLIMITED, joins: UNLIMITED };
const ARTIFACTS = [
  ...[
    { name: 'agent', arch: 'any' },
    { name: 'node', arch: 'x64' },
    { name: 'node', arch: 'arm64' },
  ],
  ...[
    { name: 'embedded', arch: 'x64' },
    { name: 'nats', arch: 'x64' },
    { name: 'nats', arch: 'arm64' },
  ],
];

describe('The gateway', () => {
  let gateway: GatewayUnderTest;
  let artifacts: Record<string, string>;

  beforeAll(async () => {
    gateway = await GatewayUnderTest.open({
      ...{ limits: LIMITS, config: { ALLOW_PRIVATE_DESTINATIONS: false }, notifies: true },
    });
    artifacts = await publishArtifacts(gateway, ...ARTIFACTS);
  });
  afterAll(() => gateway.close());

  const reportOf = (id: number, changes: Partial<MachineNodeStatus> = {}): MachineNodeStatus => ({
    ...{ node_id: id, incarnation: 1, state: 'active' },
    ...changes,
  });

  describe('with a machine that asks for its document,', () => {
    it('sends the nodes of this machine only, with the programs and tokens that they need', async () => {
      const [machine, other] = [await PlayedMachine.joined(gateway), await PlayedMachine.joined(gateway)];
      const [present, foreign] = [await machine.place(), await other.place({ broker: 'nats' })];
      const absent = await machine.place({ intent: 'absent' });
      const answer = await machine.desired();
      const text = await answer.text();
      const { document } = JSON.parse(text) as { document: Awaited<ReturnType<PlayedMachine['document']>> };

      expect(document).toEqual({
        machine_id: machine.id,
        generation: 3,
        agent_attempt: 0,
        agent_trial_seconds: 120,
        allow_private_destinations: false,
        programs: {
          agent: { sha256: artifacts['agent any'], entry: 'agent any.js' },
          node: { sha256: artifacts['node x64'], entry: 'node x64.js' },
          embedded: { sha256: artifacts['embedded x64'], entry: 'embedded x64.js' },
        },
        nodes: [
          { ...NODE, node_id: present.id, deployment_id: present.deployment, intent: 'present', token: present.token },
          { ...NODE, node_id: absent.id, deployment_id: absent.deployment, intent: 'absent', token: '' },
        ],
      });
      for (const secret of [machine.secret, other.secret, foreign.token, absent.token, 'hash', 'credential', 'sealed'])
        expect(text).not.toContain(secret);
    });

    it('names the disk of an open order of a node, until the order has ended or is withdrawn', async () => {
      const machine = await PlayedMachine.joined(gateway);
      const [node, other] = [await machine.place(), await machine.place()];
      const orders = new NodeOrdersRepository(gateway.bench.database);
      const disk = { device: '/dev/disk/by-id/nvme-vol0123', node_id: 77 };
      const { generation } = await machine.document();
      const copies = async () => (await machine.document()).nodes.map(({ node_id, copy }) => ({ node_id, copy }));
      const none = [{ node_id: node.id }, { node_id: other.id }];

      await orders.give(900, [
        { nodeId: node.id, kind: 'restore_data', options: { restore: 900, disk } },
        { nodeId: other.id, kind: 'restore_data', options: { restore: 900 } },
      ]);
      const [order] = await orders.list(900);
      expect(await copies()).toEqual([
        { node_id: node.id, copy: { ...disk, order: order?.id } },
        { node_id: other.id },
      ]);
      expect((await machine.document()).generation).toBe(generation + 1);

      await orders.record([{ nodeId: node.id, id: order?.id ?? 0, status: 'done', error: null, parts: {} }]);
      expect(await copies()).toEqual(none);
      await orders.give(901, [{ nodeId: node.id, kind: 'restore_data', options: { restore: 901, disk } }]);
      await orders.withdraw(901);
      expect(await copies()).toEqual(none);
      expect((await machine.document()).generation).toBe(generation + 3);
    });

    it('sends the programs for the processor of the machine', async () => {
      const machine = await PlayedMachine.joined(gateway, { processor: 'arm64' });
      await machine.place({ broker: 'nats' });
      const { programs } = await machine.document();

      expect(programs).toEqual({
        agent: { sha256: artifacts['agent any'], entry: 'agent any.js' },
        node: { sha256: artifacts['node arm64'], entry: 'node arm64.js' },
        nats: { sha256: artifacts['nats arm64'], entry: 'nats arm64.js' },
      });
    });

    it('sends the token of a node until its agent has registered, and lets it register again for 30 minutes', async () => {
      const machine = await PlayedMachine.joined(gateway);
      const { id, token } = await machine.place();
      await gateway.bench.rows('update nodes set bootstrap_expires_at = now() where id = $1', [id]);
      const tokenNow = async () => (await machine.document()).nodes[0]?.token;

      expect(await tokenNow()).toBe(token);
      const node = await PlayedNode.register(gateway.url, id, token);
      expect((await node.status()).status).toBe(200);
      expect(await tokenNow()).toBe('');
    });

    it('does not send the token of the replacement to the machine of the replaced node', async () => {
      const machine = await PlayedMachine.joined(gateway);
      const { id } = await machine.place();
      await new NodeAgentsRepository(gateway.bench.database, gateway.bench.secrets).replace(id);

      expect((await machine.document()).nodes).toMatchObject([{ node_id: id, incarnation: 1, token: '' }]);
    });

    it('waits for a change, and answers it at once', async () => {
      const machine = await PlayedMachine.joined(gateway);
      expect((await machine.desired(1)).status).toBe(204);
      const waiting = machine.desired(1, 20);
      const { id } = await machine.place();

      const answer = await waiting;
      expect([answer.status, await answer.json()]).toMatchObject([
        200,
        { interval_ms: 10_000, document: { generation: 2, nodes: [{ node_id: id }] } },
      ]);
    });

    it('replaces a waiting request by the next one of the same machine', async () => {
      const machine = await PlayedMachine.joined(gateway);
      await machine.status();
      const first = machine.desired(1, 20);
      const answers = [await settledAfter(first, () => machine.desired(1, 0)), (await first).status];

      expect(answers).toEqual([204, 409]);
    });

    /** Sends requests until the first one has its answer. */
    async function settledAfter(first: Promise<Response>, send: () => Promise<Response>): Promise<number> {
      let isOver = false;
      void first.then(() => (isOver = true));
      let status = 0;
      while (!isOver) ({ status } = await send());
      return status;
    }

    it('sends the document of a lower generation after a restore of the database', async () => {
      const machine = await PlayedMachine.joined(gateway);

      expect((await machine.desired(1_000_000)).status).toBe(200);
    });

    it('refuses every other credential', async () => {
      const machine = await PlayedMachine.joined(gateway);
      const other = await PlayedMachine.joined(gateway);
      const node = await gateway.node(await gateway.deployment());
      const token = await machineToken(gateway);
      const credentials = [
        ...['', `Bearer machine ${machine.id}.${other.secret}`, `Bearer ${machine.id}.${machine.secret}`],
        ...[`Bearer ${node.id}.${node.secret}`, `Bearer machine ${node.id}.${node.secret}`, `Bearer join ${token}`],
        ...[`Bearer machine 99999999.${machine.secret}`, `Bearer machine ${token}`, `machine ${machine.id}`],
      ];

      for (const credential of credentials)
        for (const [method, path, body] of REQUESTS) {
          const { status } = await machine.send(method, path, body, credential);
          expect([credential, path, status]).toEqual([credential, path, 401]);
        }
      expect((await fetch(`${gateway.url}/agent/v1/status`, asMachine(machine))).status).toBe(401);
    });

    const REQUESTS: [string, string, object?][] = [
      ['GET', 'machines/desired'],
      ['POST', 'machines/status', { generation: 1, agent_version: '1', machine: FACTS, nodes: [] }],
    ];
    const asMachine = ({ credential }: PlayedMachine) => ({ method: 'POST', headers: { authorization: credential } });

    it('refuses a removed machine at once, also in a waiting request', async () => {
      const machine = await PlayedMachine.joined(gateway);
      await machine.place();
      await machine.status();
      const { generation } = await machine.document();
      const waiting = machine.desired(generation, 20);
      await machine.remove();

      expect((await waiting).status).toBe(410);
      expect((await machine.status()).status).toBe(410);
      expect((await machine.desired()).status).toBe(410);
      expect((await machine.send('GET', `artifacts/${artifacts['agent any']}`)).status).toBe(401);
    });
  });

  describe('with the report of a machine,', () => {
    it('stores its facts and the states of its nodes', async () => {
      const machine = await PlayedMachine.joined(gateway);
      const [one, two] = [await machine.place(), await machine.place()];
      const facts = { ...FACTS, hostname: 'renamed', cpus: 4, memory_mib: 100, disk_gib: 0, address: '2001:db8::7' };
      const nodes = [reportOf(one.id), reportOf(two.id, { state: 'failed', reason: 'no space' })];
      const answer = await machine.status(nodes, { machine: facts, generation: 3, agent_version: '1.0.1' });

      expect([answer.status, await answer.json()]).toMatchObject([200, { interval_ms: 10_000 }]);
      expect(await machine.row()).toMatchObject({ ...facts, observed_generation: 3, agent_version: '1.0.1' });
      expect((await machine.row())['last_seen_at']).not.toBeNull();
      expect(await machine.rows()).toEqual([
        { node_id: one.id, intent: 'present', state: 'active', reason: null },
        { node_id: two.id, intent: 'present', state: 'failed', reason: 'no space' },
      ]);
    });

    it('believes neither another processor nor a generation that does not exist', async () => {
      const machine = await PlayedMachine.joined(gateway);
      await machine.status([], { machine: { ...FACTS, processor: 'arm64' }, generation: 1e9 });

      expect(await machine.row()).toMatchObject({ processor: 'x64', generation: 1, observed_generation: 1 });
    });

    it('changes no node of another machine', async () => {
      const [machine, victim] = [await PlayedMachine.joined(gateway), await PlayedMachine.joined(gateway)];
      const [present, absent] = [await victim.place(), await victim.place({ intent: 'absent' })];
      const [before, row] = [await victim.rows(), await victim.row()];
      for (const state of ['failed', 'gone', 'active'] as const)
        await machine.status([reportOf(present.id, { state }), reportOf(absent.id, { state })]);

      expect(await victim.rows()).toEqual(before);
      expect(await victim.row()).toEqual(row);
    });

    it('ignores the states of another incarnation', async () => {
      const machine = await PlayedMachine.joined(gateway);
      const { id } = await machine.place({ incarnation: 2, intent: 'absent', state: 'active' });
      for (const incarnation of [1, 3])
        for (const state of ['failed', 'gone'] as const) await machine.status([reportOf(id, { incarnation, state })]);

      expect(await machine.rows()).toEqual([{ node_id: id, intent: 'absent', state: 'active', reason: null }]);
    });

    it('removes a node that is gone and must be absent, and sends a document without it', async () => {
      const machine = await PlayedMachine.joined(gateway);
      const [active, absent] = [await machine.place({ state: 'active' }), await machine.place({ intent: 'absent' })];
      const { generation } = await machine.document();
      const waiting = machine.desired(generation, 20);
      await machine.status([reportOf(active.id, { state: 'gone' }), reportOf(absent.id, { state: 'gone' })]);

      expect(await machine.rows()).toEqual([{ node_id: active.id, intent: 'present', state: 'pending', reason: null }]);
      expect(await (await waiting).json()).toMatchObject({
        document: { generation: generation + 1, nodes: [{ node_id: active.id }] },
      });
    });

    it('wakes up the operation that waits for the node, once for each change', async () => {
      const machine = await PlayedMachine.joined(gateway);
      const { id, deployment } = await machine.place();
      await gateway.bench.rows(
        `insert into operations (type, queue, tenant_id, deployment_id, changing, status, step, trace_id, wake_at)
         select 'provision_deployment', 'operations.local', tenant_id, id, true, 'running', 'deploying_nodes', $2,
                now() + interval '1 hour' from deployments where id = $1`,
        [deployment, '0'.repeat(32)],
      );
      const signals = async (): Promise<number> => {
        const [row] = await gateway.bench.rows<{ signal_seq: number }>(
          'select signal_seq from operations where deployment_id = $1',
          [deployment],
        );
        return Number(row?.signal_seq);
      };
      const before = await signals();
      await machine.status([reportOf(id)]);
      await machine.status([reportOf(id)]);
      await machine.status([reportOf(id, { state: 'failed' })]);

      expect(await signals()).toBe(before + 2);
    });

    it.each([
      ['a node twice', { nodes: [reportOf(1), reportOf(1)] }],
      ['more nodes than a machine can have', { nodes: Array.from({ length: 201 }, (_, place) => reportOf(place + 1)) }],
      ['an incarnation above 31 bits', { nodes: [reportOf(1, { incarnation: 2 ** 31 })] }],
      ['a text that the database refuses', { nodes: [reportOf(1, { reason: 'a\0b' })] }],
      ['an unknown state', { nodes: [reportOf(1, { state: 'tired' as 'active' })] }],
      ['a version with a space', { agent_version: 'a b' }],
    ])('refuses %s', async (_, changes) => {
      const machine = await PlayedMachine.joined(gateway);
      expect((await machine.status([], changes)).status).toBe(400);
    });
  });

  it('refuses bodies that are too large or too deep, or no JSON, before the schema reads them', async () => {
    const machine = await PlayedMachine.joined(gateway);
    const raw = async (path: string, body: string): Promise<number> => {
      const headers = { authorization: machine.credential };
      return (await fetch(`${gateway.url}/agent/v1/machines/${path}`, { method: 'POST', headers, body })).status;
    };
    const deep = `${'['.repeat(20)}${']'.repeat(20)}`;

    for (const [path, limit] of [['join', 8 * 1024] as const, ['status', 256 * 1024] as const]) {
      expect([path, await raw(path, JSON.stringify({ x: 'x'.repeat(limit) }))]).toEqual([path, 413]);
      for (const body of ['', '{', 'null', '[]', deep])
        expect([path, body, await raw(path, body)]).toEqual([path, body, 400]);
    }
    expect((await machine.status()).status).toBe(200);
  });
});

describe('The gateway, with limits and no artifacts,', () => {
  let gateway: GatewayUnderTest;
  const few = { aSecond: 0.001, atOnce: 3 };

  beforeAll(async () => {
    gateway = await GatewayUnderTest.open({ limits: { status: few, reads: few } });
  });
  afterAll(() => gateway.close());

  it('limits the requests of one machine, without effect on another one', async () => {
    const [busy, other] = [await PlayedMachine.joined(gateway), await PlayedMachine.joined(gateway)];
    const statuses: number[] = [];
    for (let count = 0; count < 5; count += 1) statuses.push((await busy.status()).status);

    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    expect((await other.status()).status).toBe(200);
    expect((await busy.desired()).status).toBe(503);
  });

  it('refuses the report of a removed machine also when the notification was lost', async () => {
    const machine = await PlayedMachine.joined(gateway);
    // The gateway caches the credential from the second call on.
    for (const status of [200, 200]) expect((await machine.status()).status).toBe(status);
    await machine.remove();
    const before = await machine.row();

    expect((await machine.status()).status).toBe(410);
    expect(await machine.row()).toEqual(before);
  });
});

describe('The gateway, with a limit of joins,', () => {
  let gateway: GatewayUnderTest;
  beforeAll(async () => {
    gateway = await GatewayUnderTest.open({ limits: { joins: { aSecond: 0.001, atOnce: 8 } } });
  });
  afterAll(() => gateway.close());

  it('refuses a flood of joins before it reads or queries anything', async () => {
    const host = new PlayedMachine(gateway);
    const token = `1.${'x'.repeat(43)}`;
    for (let count = 0; count < 8; count += 1) await host.join(token);
    const heal = gateway.breakDatabase();
    const refused = await host.join(token, { agent_version: 'not valid' });
    heal();

    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(1);
  });
});

const NODE = { incarnation: 1, broker: 'embedded', memory_mib: 512, cpus: 1, disk_gib: 10, ports: [20_000, 20_001] };
