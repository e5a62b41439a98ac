import { given, WorkflowBench } from '@libs/testing';
import { statementText } from '../database.js';
import { ChannelQueuesRepository } from './channel-queues.repository.js';

interface Plan {
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
}

const CHANNEL = 1_000;
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

  it('are not waited for after the queue is released, although a renewal of its lease arrives late', async () => {
    const { tenantId } = await given.tenant({
      rows: (text: string, values?: unknown[]) => bench.rows<any>(text, values),
    } as never);
    const [channel] = await bench.rows<{ id: string }>(
      `with c as (insert into notification_channels (tenant_id, channel, name) values (${tenantId}, 'webhook', 'orders') returning id)
       insert into notification_lanes (channel_id, due_at) select id, now() from c returning channel_id as id`,
    );
    const queues = new ChannelQueuesRepository(bench.database, bench.secrets);
    const [queue] = await queues.take(10, 15, false);
    if (!queue) throw new TypeError('no queue is due');

    await queues.releaseUnscoped(queue, 0);

    expect(await queues.renewUnscoped(queue, 15)).toBe(false);
    expect(
      await bench.rows(`select leased_until from notification_lanes where channel_id = $1`, [channel?.id]),
    ).toEqual([{ leased_until: null }]);
  });
});
