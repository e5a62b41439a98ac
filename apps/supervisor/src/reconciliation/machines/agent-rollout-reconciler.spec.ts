import type { MachineNodeStatus, MachineStatus } from '@libs/domain';
import { IncidentsRepository } from '@libs/persistence/platform';
import { AgentRolloutsRepository } from '@libs/persistence/runtime';
import { eventually, PlayedNode } from '@libs/testing';
import type { SupervisorConfig } from '../../config.js';
import { ArtifactFiles } from '../../gateway/artifacts/artifact-files.js';
import { NewAgentsReconciler } from '../../gateway/machines/new-agents-reconciler.js';
import { GatewayUnderTest } from '../../../test/gateway.fixture.js';
import { machineToken, PlayedMachine, publishArtifacts } from '../../../test/machines.fixture.js';
import { AgentRolloutReconciler, nextStep } from './agent-rollout-reconciler.js';

const UNLIMITED = { aSecond: 1e6, atOnce: 1e6 };
const LIMITS = { status: UNLIMITED, reads: UNLIMITED, joins: UNLIMITED };
const NODE_OF_X64 = { name: 'node', arch: 'x64' };

class Watch extends NewAgentsReconciler {
  once(): Promise<void> {
    return this.pass();
  }
}

class OnePass extends AgentRolloutReconciler {
  once(): Promise<number> {
    return this.pass();
  }
}

describe('The next step of a roll-out', () => {
  it.each([
    ['asks one machine first', { machines: 50, waiting: 50 }, { ask: 1 }],
    ['waits for the first machine', { machines: 50, trying: 1, waiting: 49 }, 'wait'],
    ['asks one other machine when the first one went back', { machines: 50, refused: 1, waiting: 49 }, { ask: 1 }],
    ['asks a tenth after the first success', { machines: 50, settled: 1, waiting: 49 }, { ask: 5 }],
    ['counts the machines that try', { machines: 50, settled: 1, trying: 4, waiting: 45 }, { ask: 1 }],
    ['asks at least one', { machines: 3, settled: 1, waiting: 2 }, { ask: 1 }],
    ['asks no more than there are', { machines: 50, settled: 48, waiting: 2 }, { ask: 2 }],
    ['completes', { machines: 50, settled: 49, refused: 1 }, 'complete'],
    ['completes without machines', {}, 'complete'],
    [
      'continues when only customers go back',
      { machines: 50, settled: 40, refused: 9, votes: 1, waiting: 1 },
      { ask: 1 },
    ],
    ['asks another machine when the first one shows no result', { machines: 50, leftOut: 1, waiting: 49 }, { ask: 1 }],
    ['completes without a machine that shows no result', { machines: 50, settled: 49, leftOut: 1 }, 'complete'],
    [
      'stops when no machine shows a result',
      { machines: 2, leftOut: 2 },
      { stop: 'No machine has shown that the program works.' },
    ],
    [
      'stops at the second machine that goes back',
      { machines: 50, settled: 40, refused: 2, votes: 2, waiting: 8 },
      { stop: expect.stringContaining('2 machines') as unknown },
    ],
    [
      'stops when the only machine goes back',
      { machines: 1, refused: 1 },
      { stop: expect.stringContaining('only machine') as unknown },
    ],
  ])('%s', (_title, counts, step) => {
    expect(
      nextStep({ ...{ machines: 0, settled: 0, refused: 0, votes: 0, trying: 0, leftOut: 0, waiting: 0 }, ...counts }),
    ).toEqual(step);
  });
});

describe('The roll-out of new agents', () => {
  let gateway: GatewayUnderTest;
  let before: string;
  let next: string;
  let pass: () => Promise<void>;

  /** The machines of a cell run the first program, and the gateway has a second one. */
  beforeEach(async () => {
    gateway = await GatewayUnderTest.open({ limits: LIMITS });
    const config = { SUPERVISOR_CELL: 'local', LANDLORD_DATA_DIR: gateway.directory } as SupervisorConfig;
    const rollouts = new AgentRolloutsRepository(gateway.bench.database);
    const watch = new Watch(new ArtifactFiles(config), rollouts, config);
    const reconciler = new OnePass(
      gateway.bench.database,
      rollouts,
      new IncidentsRepository(gateway.bench.database),
      config,
    );
    const first = { name: 'agent', arch: 'any', release: '1' };
    before = (await publishArtifacts(gateway, first, NODE_OF_X64))['agent any 1'] ?? '';
    await watch.once();
    await reconciler.once();
    const second = { ...first, release: '2' };
    next = (await publishArtifacts(gateway, { ...first, superseded: true }, second, NODE_OF_X64))['agent any 2'] ?? '';
    pass = async () => {
      await watch.once();
      await reconciler.once();
    };
  });
  afterEach(() => gateway.close());

  /** Machines that run the first program, and have reported it. */
  async function machines(count: number): Promise<PlayedMachine[]> {
    const joined = [];
    for (let i = 0; i < count; i += 1) {
      const machine = await PlayedMachine.joined(gateway);
      await report(machine, before);
      joined.push(machine);
    }
    return joined;
  }

  /** A status with the newest generation. */
  async function report(
    machine: PlayedMachine,
    sha256: string,
    nodes: MachineNodeStatus[] = [],
    changes: Partial<MachineStatus> = {},
  ): Promise<void> {
    const { generation } = await machine.document();
    const answer = await machine.status(nodes, { generation, agent: { sha256, refused: null }, ...changes });
    expect(answer.status).toBe(200);
  }

  /** The machine goes back from the program that it was asked to run. */
  async function refuse(machine: PlayedMachine, reason: string): Promise<void> {
    const { agent_attempt: attempt, programs } = await machine.document();
    const refused = { sha256: programs.agent.sha256, attempt, reason };
    await report(machine, before, [], { agent: { sha256: before, refused } });
  }

  /** The machine that the roll-out asks first is random: makes `first` that one. */
  async function askFirst(first: PlayedMachine): Promise<void> {
    const others = `update machines set last_seen_at = now() - interval '1 hour' where id <> $1`;
    await gateway.bench.rows(others, [first.id]);
    await pass();
    await gateway.bench.rows('update machines set last_seen_at = now() where id <> $1', [first.id]);
  }

  const wantedVersions = async (all: readonly PlayedMachine[]): Promise<string[]> =>
    (await Promise.all(all.map((machine) => machine.document()))).map(({ programs }) => programs.agent.sha256);
  const machinesWithOrder = async (all: readonly PlayedMachine[]): Promise<PlayedMachine[]> => {
    const hashes = await wantedVersions(all);
    return all.filter((_machine, index) => hashes[index] === next);
  };
  const last = async (): Promise<unknown> =>
    (await gateway.bench.rows('select sha256, state, reason from agent_rollouts order by id desc limit 1'))[0];

  it('asks one machine, then a tenth of the machines at a time, and makes the program the default', async () => {
    const all = await machines(20);
    const sizes: number[] = [];
    const settled = new Set<PlayedMachine>();
    for (let round = 0; settled.size < all.length; round += 1) {
      expect(round).toBeLessThan(20);
      await pass();
      // A second pass without a report asks nobody.
      await pass();
      const now = (await machinesWithOrder(all)).filter((machine) => !settled.has(machine));
      sizes.push(now.length);
      for (const machine of now) {
        await report(machine, next);
        settled.add(machine);
      }
    }

    expect(sizes).toEqual([1, ...Array.from({ length: 9 }, () => 2), 1]);
    await pass();
    expect(await last()).toEqual({ sha256: next, state: 'done', reason: null });
    const joined = await PlayedMachine.joined(gateway);
    expect(await wantedVersions([joined])).toEqual([next]);
  });

  it('gives a host that joins meanwhile the earlier program', async () => {
    await machines(2);
    await pass();
    const lines = await (
      await fetch(`${gateway.url}/agent/v1/machines/programs?processor=x64`, {
        headers: { authorization: `Bearer join ${await machineToken(gateway)}` },
      })
    ).text();

    expect(lines).toContain(`agent ${before} `);
    expect(lines).not.toContain(next);
  });

  it('waits until each node of the machine has the new agent, and the gateway has heard that agent', async () => {
    const [one, other] = (await machines(2)) as [PlayedMachine, PlayedMachine];
    const placed = await one.place();
    const node = await PlayedNode.register(gateway.url, placed.id, placed.token);
    const state = { node_id: placed.id, incarnation: 1, state: 'active' } as const;
    await report(one, before, [{ ...state, agent_sha256: before }]);
    await askFirst(one);
    const isOtherAsked = async (): Promise<boolean> => {
      await pass();
      return (await machinesWithOrder([other])).length > 0;
    };
    expect(await machinesWithOrder([one, other])).toEqual([one]);

    // The first status after the start of the new machine agent.
    await report(one, next, [{ ...state, state: 'pending' }]);
    expect(await isOtherAsked()).toBe(false);
    await report(one, next, [{ ...state, agent_sha256: before }]);
    expect(await isOtherAsked()).toBe(false);
    await report(one, next, [{ ...state, agent_sha256: next }]);
    expect(await isOtherAsked()).toBe(false);
    await node.status();
    await eventually('the next machine is asked', isOtherAsked);
  });

  it('does not wait for a node that has failed, or has never started', async () => {
    const [one, other] = (await machines(2)) as [PlayedMachine, PlayedMachine];
    const [failed, waiting] = [await one.place(), await one.place()];
    const stateOf = ({ id }: { id: number }, state: 'active' | 'failed' | 'pending'): MachineNodeStatus => ({
      ...{ node_id: id, incarnation: 1, state },
    });
    await report(one, before, [{ ...stateOf(failed, 'active'), agent_sha256: before }]);
    await askFirst(one);
    await report(one, next, [stateOf(failed, 'failed'), stateOf(waiting, 'pending')]);
    await pass();

    expect(await machinesWithOrder([one, other])).toEqual([one, other]);
  });

  it('gives the earlier program back to a machine with a node whose agent the gateway does not hear', async () => {
    const [one, other] = (await machines(2)) as [PlayedMachine, PlayedMachine];
    const { id } = await one.place();
    const nodes: MachineNodeStatus[] = [{ node_id: id, incarnation: 1, state: 'active', agent_sha256: next }];
    await askFirst(one);
    await report(one, next, nodes);
    const reportAfter = async (seconds: number): Promise<void> => {
      await gateway.bench.rows(`update machines set last_seen_at = now() - make_interval(secs => $2) where id = $1`, [
        ...[one.id, seconds],
      ]);
      await report(one, next, nodes);
      await pass();
    };

    // The gateway was away for an hour: the agent could not report either.
    await reportAfter(3600);
    for (let i = 0; i < 5; i += 1) await reportAfter(15);
    expect(await machinesWithOrder([one])).toEqual([one]);
    for (let i = 0; i < 2; i += 1) await reportAfter(15);
    expect(await wantedVersions([one])).toEqual([before]);
    expect(await one.row()).toMatchObject({
      agent_refusal: `The agent of node ${id} has reported nothing for 120 seconds.`,
    });
    await pass();
    expect(await machinesWithOrder([one, other])).toEqual([other]);
  });

  it('stops when two machines go back, and changes no other machine', async () => {
    const all = await machines(12);
    await pass();
    const [first] = (await machinesWithOrder(all)) as [PlayedMachine];
    await refuse(first, 'no status accepted');
    await pass();
    await pass();
    const [second, ...more] = (await machinesWithOrder(all)) as [PlayedMachine];
    expect(more).toEqual([]);
    expect(second).not.toBe(first);
    await refuse(second, 'no status accepted');
    await pass();
    await pass();

    expect(await last()).toEqual({
      sha256: next,
      state: 'stopped',
      reason: '2 machines went back to the earlier program.',
    });
    const others = all.filter((machine) => machine !== second);
    expect(await machinesWithOrder(others)).toEqual([]);
    expect(await first.row()).toMatchObject({ agent_refusal: 'no status accepted', agent_sha256: before });
    expect(await wantedVersions([await PlayedMachine.joined(gateway)])).toEqual([before]);
  });

  it('still gives the earlier program to a machine that goes back after the stop', async () => {
    const all = await machines(30);
    await pass();
    const [first] = (await machinesWithOrder(all)) as [PlayedMachine];
    await report(first, next);
    await pass();
    const others = (await machinesWithOrder(all)).filter((machine) => machine !== first);
    const [one, two, late] = others as [PlayedMachine, PlayedMachine, PlayedMachine];
    for (const machine of [one, two]) await refuse(machine, 'no status accepted');
    await pass();
    expect(await last()).toMatchObject({ state: 'stopped' });
    expect(await wantedVersions([late])).toEqual([next]);
    await refuse(late, 'no status accepted');
    await pass();

    expect(await wantedVersions([late])).toEqual([before]);
    expect(await machinesWithOrder(all)).toEqual([first]);
  });

  it('does not wait for a silent machine, which gets the program when it is back', async () => {
    const [silent, other] = (await machines(2)) as [PlayedMachine, PlayedMachine];
    await gateway.bench.rows(`update machines set last_seen_at = now() - interval '2 minutes' where id = $1`, [
      silent.id,
    ]);
    await pass();
    expect(await machinesWithOrder([silent, other])).toEqual([other]);
    await report(other, next);
    await pass();

    expect(await last()).toMatchObject({ state: 'done' });
    expect(await wantedVersions([silent, other])).toEqual([next, next]);
  });

  it('leaves out a machine that shows no result, opens an incident about it, and goes on with the others', async () => {
    const all = await machines(4);
    await pass();
    const [liar] = (await machinesWithOrder(all)) as [PlayedMachine];
    await report(liar, before);
    await pass();
    expect(await machinesWithOrder(all)).toEqual([liar]);
    await gateway.bench.rows(`update machines set wanted_at = now() - interval '1 hour' where id = $1`, [liar.id]);

    await pass();
    expect(await leftOut()).toEqual([`local machine ${liar.id}`]);
    const settled = new Set<PlayedMachine>();
    for (let round = 0; settled.size < 3; round += 1) {
      expect(round).toBeLessThan(10);
      await pass();
      for (const machine of await machinesWithOrder(all)) {
        if (machine === liar || settled.has(machine)) continue;
        await report(machine, next);
        settled.add(machine);
      }
      await report(liar, before);
    }
    await pass();

    expect(await last()).toMatchObject({ sha256: next, state: 'done' });
    expect(await leftOut()).toEqual([]);
  });

  /** The subjects of open incidents. */
  async function leftOut(): Promise<string[]> {
    const rows = await gateway.bench.rows<{ subject: string }>(
      `select subject from incidents where kind = 'agent_rollout_left_out' and closed_at is null`,
    );
    return rows.map(({ subject }) => subject);
  }

  it('in a cell of customers only, has one vote for each tenant: one tenant cannot stop it, two can', async () => {
    const all = await machines(3);
    const tenant = await inAccountOfCustomer(all[0] as PlayedMachine);
    await inAccountOfCustomer(all[1] as PlayedMachine, tenant);
    await inAccountOfCustomer(all[2] as PlayedMachine);

    const refused = new Set<PlayedMachine>();
    const refuseNext = async (): Promise<void> => {
      await pass();
      const machine = (await machinesWithOrder(all)).find((one) => !refused.has(one)) as PlayedMachine;
      refused.add(machine);
      await refuse(machine, 'a lie');
      await pass();
    };
    const tenants = async (): Promise<number> =>
      new Set([...refused].map((machine) => all.indexOf(machine) === 2)).size;
    while ((await tenants()) < 2) {
      await refuseNext();
      expect(((await last()) as { state: string }).state).toBe((await tenants()) < 2 ? 'running' : 'stopped');
    }
  });

  it('asks machines of the operator first, and machines in accounts of customers cannot stop it', async () => {
    const all = await machines(6);
    const customers = all.slice(0, 3);
    for (const machine of customers) await inAccountOfCustomer(machine);

    await pass();
    const [first] = await machinesWithOrder(all);
    expect(customers).not.toContain(first);
    await report(first as PlayedMachine, next);
    const refused = new Set<PlayedMachine>();
    for (let round = 0; round < 6; round += 1) {
      await pass();
      for (const machine of await machinesWithOrder(all)) {
        if (customers.includes(machine)) {
          refused.add(machine);
          await refuse(machine, 'a lie');
        } else await report(machine, next);
      }
    }
    await pass();

    expect(refused.size).toBe(3);
    expect(await last()).toMatchObject({ sha256: next, state: 'done' });
  });

  /** A machine that a cloud made for a node of a new tenant, in the account of this tenant. */
  async function inAccountOfCustomer(machine: PlayedMachine, of?: number): Promise<number> {
    const deployment = await gateway.deployment();
    const change = `update deployments set variant = 'byoc', tenant_id = coalesce($2, tenant_id) where id = $1`;
    await gateway.bench.rows(change, [deployment, of ?? null]);
    const [row] = await gateway.bench.rows<{ tenant_id: number }>('select tenant_id from deployments where id = $1', [
      deployment,
    ]);
    const { id: node } = await gateway.expectedNode(deployment);
    await gateway.bench.rows(`update machines set reserved_for = $2 where id = $1`, [machine.id, `n${node}`]);
    await gateway.bench.rows(
      `insert into machine_nodes (name, node_id, deployment_id, machine_id, incarnation, broker, memory_mib, cpus, disk_gib, ports, is_dedicated)
       values ($1, $2, $3, $4, 0, 'embedded', 1, 1, 1, '{}', true)`,
      [`n${node}`, node, deployment, machine.id],
    );
    return row?.tenant_id ?? 0;
  }

  it('ignores the refusal of a machine that was not asked', async () => {
    const [one, other] = (await machines(2)) as [PlayedMachine, PlayedMachine];
    await pass();
    const { agent_attempt: attempt } = await one.document();
    const refused = { sha256: next, attempt, reason: 'a lie' };
    await report(other, before, [], { agent: { sha256: before, refused } });

    expect(await other.row()).toMatchObject({ agent_refusal: null });
  });

  it('has one roll-out for each program, and one at a time', async () => {
    const [machine] = (await machines(1)) as [PlayedMachine];
    await pass();
    const third = { name: 'agent', arch: 'any', release: '3' };
    await publishArtifacts(gateway, { ...third, release: '2', superseded: true }, third, NODE_OF_X64);
    await pass();
    expect(await last()).toMatchObject({ sha256: next, state: 'running' });
    await report(machine, next);
    await pass();
    await pass();

    expect(await last()).not.toMatchObject({ sha256: next });
    const rows = await gateway.bench.rows('select state from agent_rollouts order by id');
    expect(rows).toEqual([{ state: 'done' }, { state: 'done' }, { state: 'running' }]);
  });
});
