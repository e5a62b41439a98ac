import { WorkflowBench } from '@libs/testing';
import { CellProcessesRepository } from './cell-processes.repository.js';

describe('A process of a Supervisor that stops in order', () => {
  let bench: WorkflowBench;
  let processes: CellProcessesRepository;
  let cells = 0;
  beforeAll(async () => {
    bench = await WorkflowBench.open();
    processes = new CellProcessesRepository(bench.database);
  });
  afterAll(() => bench.close());

  /** A cell whose other process announced itself this many seconds ago. Returns whether a third one, which stops, signs it off. */
  async function signsOff(secondsAgo: number | null): Promise<boolean> {
    const cell = `cell-${(cells += 1)}`;
    await bench.rows(
      `insert into cells (cell, url, agent_url, regions, cloud_drivers, broker_driver, broker_version, version)
       values ($1, 'http://cell', 'http://cell', '{*}', '{}', 'embedded', '1.2.0', '1')`,
      [cell],
    );
    const announce = (id: string) => processes.announce({ id, cell, hasGateway: true, version: '1' });
    await announce(`${cell}-stops`);
    if (secondsAgo !== null) {
      await announce(`${cell}-other`);
      const age = `update cell_processes set seen_at = now() - make_interval(secs => $2) where id = $1`;
      await bench.rows(age, [`${cell}-other`, secondsAgo]);
    }
    await processes.leave({ id: `${cell}-stops`, cell });
    const [row] = await bench.rows<{ isSignedOff: boolean }>(
      `select signed_off_at is not null as "isSignedOff" from cells where cell = $1`,
      [cell],
    );
    return row?.isSignedOff ?? false;
  }

  it.each([
    ['it is the only one', null, true],
    ['another one has announced itself', 0, false],
    ['another one is late', 25, false],
    ['the other one has missed three announcements', 31, true],
  ])('(%s) signs its cell off only if no other one lives', async (_, secondsAgo, isSignedOff) => {
    expect(await signsOff(secondsAgo)).toBe(isSignedOff);
  });
});
