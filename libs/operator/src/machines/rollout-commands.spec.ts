import { OperatorBench } from '../../test/operator.fixture.js';
import { RolloutCommands } from './rollout-commands.js';

const FIRST = 'a'.repeat(64);
const SECOND = `${'a'.repeat(20)}${'b'.repeat(44)}`;

describe('Operator commands for roll-outs', () => {
  let bench: OperatorBench;
  let commands: RolloutCommands;

  beforeAll(async () => {
    bench = await OperatorBench.open();
    commands = new RolloutCommands(bench.session);
  });
  afterAll(() => bench.close());
  beforeEach(() =>
    bench.rows(
      'truncate operator_actions, machine_reservations, machine_nodes, machine_tokens, machines, agent_rollouts',
    ),
  );

  const ended = (cell: string, sha256: string, state = 'done'): Promise<unknown> =>
    bench.rows('insert into agent_rollouts (cell, sha256, state, ended_at) values ($1, $2, $3, now())', [
      ...[cell, sha256, state],
    ]);

  it('list the newest first, with the machines that were asked and those that went back', async () => {
    await ended('local', FIRST);
    await ended('local', SECOND, 'stopped');
    await bench.rows(
      `insert into machines (cell, region, zone, hostname, address, processor, cpus, memory_mib, disk_gib, credential_hash, agent_version,
                             wanted_attempt, agent_refusal, status)
       select 'local', 'us-east-1', 'us-east-1a', 'h', '192.0.2.1', 'x64', 4, 8000, 100, '\\x00', '1', attempt, refusal, status
         from (select max(id) as id from agent_rollouts) r,
              lateral (values (r.id, null, 'active'), (r.id, 'why', 'draining'), (null, null, 'active'), (r.id, null, 'removed'))
                as m (attempt, refusal, status)`,
    );

    expect(await commands.list(10)).toMatchObject([
      { sha256: SECOND, state: 'stopped', asked: 2, refused: 1, machines: 3 },
      { sha256: FIRST, state: 'done', asked: 0, refused: 0, machines: 3 },
    ]);
    expect(await commands.list(1)).toHaveLength(1);
  });

  it('begin a roll-out of an earlier program, and record it', async () => {
    await ended('local', FIRST);
    await ended('local', SECOND, 'stopped');
    const id = await commands.begin({ program: FIRST });

    expect(await commands.list(1)).toMatchObject([{ id, sha256: FIRST, state: 'running' }]);
    expect(await bench.rows('select verb, subject from operator_actions')).toEqual([
      { verb: 'machines rollout', subject: `roll-out ${id}` },
    ]);
    await expect(commands.begin({ program: SECOND })).rejects.toThrow('A roll-out of the cell local is running');
  });

  it.each([
    ['aaaa', 'Give at least the first 12 characters'],
    [`${'a'.repeat(12)}%`, 'Give at least the first 12 characters'],
    ['c'.repeat(12), `No roll-out had the program ${'c'.repeat(12)}.`],
    ['a'.repeat(12), 'Give --cell, or more characters'],
  ])('refuse to begin one of %s', async (program, reason) => {
    await ended('local', FIRST);
    await ended('local', SECOND);

    await expect(commands.begin({ program })).rejects.toThrow(reason);
    expect(await bench.rows('select 1 from operator_actions')).toEqual([]);
  });

  it('find the program of the named cell', async () => {
    await ended('local', FIRST);
    await ended('other', FIRST);

    await expect(commands.begin({ program: FIRST })).rejects.toThrow('Give --cell');
    const id = await commands.begin({ program: FIRST, cell: 'other' });
    expect(await commands.list(1)).toMatchObject([{ id, cell: 'other' }]);
  });

  it('stop a running roll-out once', async () => {
    await ended('local', FIRST);
    const id = await commands.begin({ program: FIRST });
    await commands.stop(id);

    expect(await commands.list(1)).toMatchObject([{ state: 'stopped', reason: 'An operator stopped the roll-out.' }]);
    await expect(commands.stop(id)).rejects.toThrow(`There is no roll-out ${id} that is running.`);
  });
});
