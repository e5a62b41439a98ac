import { WorkflowBench } from '@libs/testing';
import { statementText } from '../database.js';
import './channel-queues.repository.js';

interface Plan {
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
}

const CHANNEL = 1;
const TOKEN = 1;
const HISTORY = 3_000;
const INSERT = `insert into notification_deliveries
    (channel_id, sequence, message_id, message_type, tenant_id, subject, content, data, event_at, status, attempts)
  select ${CHANNEL}, $1::int + n, gen_random_uuid(), 'x', 1, '', '', '{}', now(), $2, $3
    from generate_series(1, $4::int) n returning id`;

describe('The outcomes of deliveries', () => {
  let bench: WorkflowBench;
  beforeAll(async () => {
    bench = await WorkflowBench.open();
    await bench.rows('set session_replication_role = replica');
  });
  afterAll(() => bench.close());

  /** Pages that PostgreSQL reads for one outcome. */
  async function pagesOfOutcome(first: number): Promise<number> {
    const [due] = await bench.rows<{ id: string }>(INSERT, [first, 'pending', 0, 1]);
    const outcome = JSON.stringify([{ id: Number(due?.id), is_delivered: true, pause: 0, log: {} }]);
    await bench.rows('vacuum analyze notification_deliveries');
    await bench.rows(`prepare outcome as ${statementText('lane.write')}`);
    const [explained] = await bench.rows<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `explain (analyze, buffers, format json) execute outcome(${CHANNEL}, ${TOKEN}, '${outcome}', '{${due?.id}}')`,
    );
    await bench.rows('deallocate outcome');
    const plan = explained?.['QUERY PLAN'][0].Plan;
    const [row] = await bench.rows<{ status: string }>('select status from notification_deliveries where id = $1', [
      due?.id,
    ]);
    expect(row).toEqual({ status: 'delivered' });
    return (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0);
  }

  it('cost as much in a channel with thousands of old deliveries as in a new one', async () => {
    await bench.rows(
      `insert into notification_lanes (channel_id, lease_token, leased_until) values (${CHANNEL}, ${TOKEN}, now() + interval '1 hour')`,
    );
    const inNew = await pagesOfOutcome(0);
    await bench.rows(INSERT, [1, 'delivered', 1, HISTORY]);

    expect(await pagesOfOutcome(HISTORY + 1)).toBeLessThan(2 * inNew);
  });
});
