import { SilentJobTimer } from '@libs/queue';
import { given, WorkflowBench } from '@libs/testing';
import { JobScheduler } from '@libs/workflow';
import {
  ChannelConfirmationsRepository,
  ChannelsRepository,
  DeliveriesRepository,
  EventOutboxRepository,
} from '@libs/persistence/channels';
import { NotificationRetentionJob } from './notification-retention-job.js';

describe('The retention of notifications', () => {
  let bench: WorkflowBench;
  let tenant: Awaited<ReturnType<typeof given.tenant>>;

  beforeAll(async () => {
    bench = await WorkflowBench.open();
    tenant = await given.tenant({ rows: (text: string, values?: unknown[]) => bench.rows<any>(text, values) } as never);
  });
  afterAll(() => bench.close());

  const run = (): Promise<void> => {
    const scheduler = new JobScheduler(bench.database, new SilentJobTimer(), { queue: 'none' });
    return new NotificationRetentionJob(
      scheduler,
      new DeliveriesRepository(bench.database),
      new EventOutboxRepository(bench.database),
      new ChannelsRepository(bench.database, bench.secrets),
      new ChannelConfirmationsRepository(bench.database),
    ).run(new AbortController().signal);
  };
  const partitions = async (): Promise<string[]> => {
    const rows = await bench.rows<{ name: string }>(
      `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
        where i.inhparent = 'notification_deliveries'::regclass order by 1`,
    );
    return rows.map(({ name }) => name);
  };

  it('creates the partitions of the next months, and drops those that ended 90 days ago', async () => {
    const ahead = await partitions();
    await bench.rows(`drop table ${ahead.at(-1)}`);
    await bench.rows(
      `create table notification_deliveries_2020_01 partition of notification_deliveries
         for values from ('2020-01-01T00:00Z') to ('2020-02-01T00:00Z')`,
    );

    await run();
    await run();

    expect(await partitions()).toEqual(ahead);
  });

  it('deletes all events that were dispatched 90 days ago, and no waiting or newer ones', async () => {
    const dispatched = (age: string | null, count: number) =>
      bench.rows(
        `insert into outbox (event_key, type, tenant_id, subject, trace_id, dispatched_at)
         select gen_random_uuid(), 'member_joined', $1, coalesce($2, 'waits'), '', now() - $2::interval from generate_series(1, $3)`,
        [tenant.tenantId, age, count],
      );
    await dispatched('91 days', 2_500);
    await dispatched('89 days', 2);
    await dispatched(null, 1);

    await run();

    const outbox = await bench.rows<{ subject: string }>('select subject from outbox order by 1');
    expect(outbox.map(({ subject }) => subject)).toEqual(['89 days', '89 days', 'waits']);
  });

  it('deletes the channels of a division a day after its deletion', async () => {
    const channel = async (deletedAgo: string): Promise<void> => {
      await bench.rows(
        `with division as (
           insert into divisions (tenant_id, name, deleted_at) values ($1, $2::text, now() - $2::text::interval) returning id
         )
         insert into notification_channels (tenant_id, division_id, channel, name) select $1, id, 'webhook', $2::text from division`,
        [tenant.tenantId, deletedAgo],
      );
    };
    await channel('25 hours');
    await channel('23 hours');

    await run();

    const channels = await bench.rows<{ name: string }>('select name from notification_channels');
    expect(channels.map(({ name }) => name)).toEqual(['23 hours']);
  });
});
