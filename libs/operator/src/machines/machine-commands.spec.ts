import { createHash } from 'node:crypto';
import { MachineCommands } from './machine-commands.js';
import { OperatorBench } from '../../test/operator.fixture.js';

describe('Operator commands for machines', () => {
  let bench: OperatorBench;
  let commands: MachineCommands;

  beforeAll(async () => {
    bench = await OperatorBench.open();
    commands = new MachineCommands(bench.session);
  });
  afterAll(() => bench.close());
  beforeEach(() =>
    bench.rows('truncate operator_actions, machine_reservations, machine_nodes, machine_tokens, machines, cells'),
  );

  const cell = (name: string, regions: string, drivers: object = {}): Promise<unknown> =>
    bench.rows(
      `insert into cells (cell, url, agent_url, regions, cloud_drivers, broker_driver, broker_version, version)
       values ($1, 'http://x', 'https://' || $1, $2::text[], $3, 'embedded', '1', '1')`,
      [name, regions, JSON.stringify(drivers)],
    );

  async function machine(hostname = 'host-1'): Promise<number> {
    const [row] = await bench.rows<{ id: string }>(
      `insert into machines (cell, region, zone, hostname, address, processor, cpus, memory_mib, disk_gib, credential_hash, agent_version)
       values ('local', 'us-east-1', 'us-east-1a', $1, '192.0.2.1', 'x64', 4, 8000, 100, '\\x00', '1') returning id`,
      [hostname],
    );
    return Number(row?.id);
  }

  /** A deployment with these nodes, each on a machine or elsewhere. */
  async function deployment(name: string, broker: string, ...nodes: Placed[]): Promise<number> {
    const { deploymentId: id, nodeId } = await bench.deployment(name);
    for (const [place, { on, status = 'running', intent = 'present' }] of nodes.entries()) {
      if (place > 0)
        await bench.rows(
          `insert into nodes (deployment_id, ordinal, name, role, broker_driver, broker_version, image_id, storage_type, storage_size)
           values ($1, $2::integer, 'node-' || $2::integer, 'follower', $3, '1', 'i', 'standard', 10)`,
          [id, place + 1, broker],
        );
      await bench.rows('update nodes set status = $3 where deployment_id = $1 and ordinal = $2', [
        id,
        place + 1,
        status,
      ]);
      if (on === undefined) continue;
      await bench.rows(
        `insert into machine_nodes (name, node_id, deployment_id, machine_id, incarnation, broker, memory_mib, cpus, disk_gib, ports,
           is_dedicated, intent)
         select 'n' || id, id, deployment_id, $3, 1, $4, 512, 1, 10, '{}', false, $5 from nodes
          where deployment_id = $1 and ordinal = $2`,
        [id, place + 1, on, broker, intent],
      );
    }
    expect(nodeId).toBeGreaterThan(0);
    return id;
  }

  describe('issue a token', () => {
    it('for a place, with a lifetime, and store only its hash', async () => {
      await cell('local', '{*}');
      const place = await commands.choosePlace({ region: 'eu-west-1', zone: 'eu-west-1b' });
      const { id, token } = await commands.issueToken(place, 30);

      const [row] = await bench.rows<any>(
        `select cell, region, zone, secret_hash, machine_id, round(extract(epoch from expires_at - now()) / 60)::int as minutes
           from machine_tokens where id = $1`,
        [id],
      );
      const secret = token.split('.')[1] ?? '';
      expect(token.startsWith(`${id}.`)).toBe(true);
      expect(row).toMatchObject({
        cell: 'local',
        region: 'eu-west-1',
        zone: 'eu-west-1b',
        minutes: 30,
        machine_id: null,
      });
      expect(row.secret_hash.equals(createHash('sha256').update(secret).digest())).toBe(true);
      const written = await bench.rows(
        'select t::text as token, a::text as action from machine_tokens t, operator_actions a',
      );
      expect(JSON.stringify(written)).not.toContain(secret);
      expect(await bench.actions()).toEqual([
        { operator: 'ada@engine', verb: 'machines token', subject: `machine token ${id}` },
      ]);
    });

    it.each([0, 0.5, 24 * 60 + 1, Number.NaN])('and refuse %s minutes', async (minutes) => {
      await cell('local', '{*}');
      const issuing = commands.issueToken(await commands.choosePlace({}), minutes);

      await expect(issuing).rejects.toThrow('valid for 1 minute to 24 hours');
      expect(await bench.actions()).toEqual([]);
    });

    it('for the first region that a cell serves, and its first zone', async () => {
      await cell('far', '{gcp/europe-west1,aws/eu-central-1}');

      expect(await commands.choosePlace({})).toEqual({
        ...{ cell: 'far', agentUrl: 'https://far', region: 'eu-central-1', zone: 'eu-central-1a', isUsed: false },
      });
    });

    it('for the first region whose deployments run on machines, if there is one', async () => {
      await cell('local', '{*}', { aws: 'local', gcp: 'machines' });

      expect(await commands.choosePlace({})).toMatchObject({ region: 'us-central1', isUsed: true });
    });

    it('for the most specific cell, and for a drained cell only without another one', async () => {
      await cell('all', '{*}');
      await cell('exact', '{aws/us-east-1}');
      const cellFor = async (request: object) => (await commands.choosePlace({ region: 'us-east-1', ...request })).cell;

      expect([await cellFor({}), await cellFor({ cell: 'all' })]).toEqual(['exact', 'all']);
      await bench.rows(`update cells set drained_at = now() where cell = 'exact'`);
      expect(await cellFor({})).toBe('all');
    });

    it.each([
      [{ region: 'mars' }, 'No cell serves the region mars. The regions are: eu-west-1, us-central1.'],
      [{ region: 'us-east-1' }, 'The regions are: eu-west-1, us-central1.'],
      [{ zone: 'x' }, 'has no zone x. The zones are: eu-west-1a, eu-west-1b, eu-west-1c.'],
      [{ cell: 'near' }, 'There is no cell near. The cells are: local.'],
    ])('and refuse %j with the valid values', async (request, message) => {
      await cell('local', '{aws/eu-west-1,gcp/us-central1}');

      await expect(commands.choosePlace(request)).rejects.toThrow(message);
    });

    it('and say what to do before a Supervisor has registered', async () => {
      await expect(commands.choosePlace({})).rejects.toThrow('landlord start');
    });
  });

  it('list the node that a machine is reserved for, also after the end of the reservation', async () => {
    const [open, reserved, left] = [await machine('open'), await machine('reserved'), await machine('left')];
    const id = await deployment('orders', 'embedded', {});
    await bench.rows(`update machines set reserved_for = 'ld-' || hostname where id <> $1`, [open]);
    await bench.rows(
      `with token as (
         insert into machine_tokens (cell, region, zone, secret_hash, expires_at)
         values ('local', 'us-east-1', 'us-east-1a', '\\x01', now()) returning id)
       insert into machine_reservations (name, node, token_id, machine_id)
       select 'ld-reserved', jsonb_build_object('node_id', n.id), token.id, $2 from nodes n, token where n.deployment_id = $1`,
      [id, reserved],
    );

    const listed = await commands.list(false);

    const none = { node: null, deployment_id: null, deployment: null };
    expect(listed.map((one) => [one.id, one.reserved_for])).toEqual([
      [open, null],
      [reserved, { name: 'ld-reserved', node: 'node-1', deployment_id: id, deployment: 'orders' }],
      [left, { name: 'ld-left', ...none }],
    ]);
  });

  it('list machines with what their nodes may use, and without removed machines', async () => {
    const [id, removed] = [await machine(), await machine('old')];
    await deployment('listed', 'iggy', { on: id });
    await bench.rows(`update machines set status = 'removed' where id = $1`, [removed]);

    const [row] = await commands.list(false);
    expect(row).toMatchObject({ id, hostname: 'host-1', nodes: 1, placed_memory_mib: 512, placed_disk_gib: 10 });
    expect(row).not.toHaveProperty('credential_hash');
    expect((await commands.list(true)).map((one) => one.id)).toEqual([id, removed]);
  });

  it('drain and resume a machine, each once, and report its nodes', async () => {
    const id = await machine();
    const deploymentId = await deployment('drained', 'iggy', { on: id });

    const { machine: drained, nodes } = await commands.drain(id);
    expect([drained.status, nodes]).toMatchObject([
      'draining',
      [{ deployment_id: deploymentId, deployment: 'drained', name: 'node-1', has_only_copy: true }],
    ]);
    await expect(commands.drain(id)).rejects.toThrow(`Machine ${id} is already draining`);
    expect((await commands.resume(id)).machine.status).toBe('active');
    await expect(commands.resume(id)).rejects.toThrow(`Machine ${id} is already active`);
    await expect(commands.drain(id + 99)).rejects.toThrow('There is no machine');
    expect((await bench.actions()).map(({ verb }) => verb)).toEqual(['machines drain', 'machines resume']);
  });

  it('say why a node of a draining machine stays, and nothing for other machines', async () => {
    const [id, other] = [await machine(), await machine('host-2')];
    await bench.rows('update machines set last_seen_at = now()');
    await deployment('stays', 'iggy', { on: id });
    await deployment('elsewhere', 'iggy', { on: other });
    await bench.rows(`update machine_nodes set state = 'active'`);
    await bench.rows(`update deployment_runtimes set status = 'initialized'`);
    const reason = async () =>
      (await commands.list(false)).flatMap(({ leaving }) => leaving).map((one) => one.stays_because);

    expect(await reason()).toEqual([]);
    await commands.drain(id);
    expect(await reason()).toEqual([null]);
    await bench.rows(`update machines set memory_mib = 600 where id = $1`, [other]);
    expect(await reason()).toEqual(['no other machine of us-east-1a has enough memory for the node']);
    await bench.rows(
      `update machine_nodes set move_error = 'no space', failed_moves = 1, move_due_at = '2999-01-01T00:00:00Z' where machine_id = $1`,
      [id],
    );
    expect(await reason()).toEqual(['its last move failed: no space. The next one starts after 2999-01-01T00:00:00Z']);
    await commands.resume(id);
    await commands.drain(id);
    expect(await reason()).toEqual(['no other machine of us-east-1a has enough memory for the node']);
    await bench.rows(`update machines set last_seen_at = now() - interval '2 minutes' where id = $1`, [id]);
    expect(await reason()).toEqual(['its machine does not report']);
  });

  it('remove a machine: its credential is refused, and its nodes are forgotten', async () => {
    const [id, other] = [await machine(), await machine('host-2')];
    const deploymentId = await deployment('moved', 'nats', { on: id }, { on: other }, {});
    await commands.drain(id);
    const { machine: removed } = await commands.remove(id, null);

    expect(removed).toMatchObject({ status: 'removed', generation: 2, nodes: 0 });
    expect(removed.removed_at).toBeInstanceOf(Date);
    expect(await bench.rows('select machine_id::int from machine_nodes')).toEqual([{ machine_id: other }]);
    await expect(commands.remove(id, null)).rejects.toThrow(`Machine ${id} is already removed`);
    await expect(commands.drain(id)).rejects.toThrow(`Machine ${id} is already removed`);
    const [action] = await bench.rows<any>(`select detail from operator_actions where verb = 'machines remove'`);
    expect(action.detail).toEqual({
      ...{ hostname: 'host-1', deployments: [deploymentId], deployments_without_another_copy: [] },
    });
  });

  describe('refuse to remove a machine with the only copy of data:', () => {
    const HERE = {};
    const ELSEWHERE = { isElsewhere: true };
    it.each([
      ['the only node', 'iggy', [HERE], true],
      ['the only node of nats', 'nats', [HERE], true],
      ['one of three nodes of nats', 'nats', [HERE, ELSEWHERE, ELSEWHERE], false],
      ['two of three nodes of nats', 'nats', [HERE, HERE, ELSEWHERE], false],
      ['all nodes of nats', 'nats', [HERE, HERE, HERE], true],
      [
        'the last running node of nats',
        'nats',
        [HERE, { ...ELSEWHERE, status: 'unreachable' }, { ...ELSEWHERE, status: 'failed' }],
        true,
      ],
      [
        'three of five nodes of nats, which may have all three copies',
        'nats',
        [HERE, HERE, HERE, ELSEWHERE, ELSEWHERE],
        true,
      ],
      ['the node of an embedded cluster with the messages', 'embedded', [HERE, ELSEWHERE, ELSEWHERE], true],
      ['another node of an embedded cluster', 'embedded', [ELSEWHERE, HERE, ELSEWHERE], false],
      ['a node that is being deleted', 'iggy', [{ intent: 'absent' }], false],
    ] as [string, string, (Placed & { isElsewhere?: boolean })[], boolean][])(
      '%s',
      async (_, broker, nodes, isRefused) => {
        const id = await machine();
        const name = `only-${(count += 1)}`;
        const placed = nodes.map(({ isElsewhere = false, ...node }) => (isElsewhere ? node : { ...node, on: id }));
        const deploymentId = await deployment(name, broker, ...placed);
        const removing = commands.remove(id, null).then(
          () => 'removed',
          (error: Error) => error.message,
        );

        expect(await removing).toBe(
          isRefused
            ? `Machine ${id} (host-1) may have the only copy of the data of these deployments: ${deploymentId} (${name}). ` +
                `To lose this data, run: landlord machines remove ${id} --lose-data host-1`
            : 'removed',
        );
        expect((await bench.actions()).length).toBe(isRefused ? 0 : 1);
      },
    );
    let count = 0;
  });

  it('remove a machine with the only copy of data after consent with its hostname', async () => {
    const id = await machine();
    const deploymentId = await deployment('lost', 'iggy', { on: id });

    await expect(commands.remove(id, 'host-2')).rejects.toThrow(`The hostname of machine ${id} is host-1, not host-2`);
    expect((await commands.remove(id, 'host-1')).nodes).toMatchObject([{ has_only_copy: true }]);
    expect(await bench.rows('select detail from operator_actions')).toMatchObject([
      { detail: { deployments_without_another_copy: [deploymentId] } },
    ]);
  });
});

interface Placed {
  /** A machine. */
  on?: number;
  status?: string;
  intent?: string;
}
