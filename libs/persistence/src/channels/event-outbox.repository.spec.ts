import { eventually, given, WorkflowBench } from '@libs/testing';
import fc from 'fast-check';
import { LedgerRepository } from '../ledger/index.js';
import { EventOutboxRepository } from './event-outbox.repository.js';

const LEVELS = ['tenant', 'division', 'environment', 'deployment'] as const;
type Level = (typeof LEVELS)[number];
const TYPES = ['division_created', 'node_reachable', 'deployment_created'];

interface Subscription {
  types: string[];
  scope: Record<Level, number[]>;
}
interface Channel {
  tenant: number;
  division: number | null;
  enabled: boolean;
  subscriptions: Subscription[];
}
interface Event {
  type: string;
  tenant: number;
  division: number | null;
  environment: number | null;
  deployment: number | null;
}

/** Some of the ids. The rows behind them need not exist, except tenants and the divisions of channels. */
const some = (ids: number[]): fc.Arbitrary<number[]> => fc.subarray(ids);
const optional = (): fc.Arbitrary<number | null> => fc.option(fc.constantFrom(1, 2, 3));

/** A second implementation of the rules C-24.3 and C-24.8. */
const isMatch = (event: Event, channel: Channel): boolean =>
  channel.enabled &&
  channel.tenant === event.tenant &&
  (channel.division === null || channel.division === event.division) &&
  (channel.subscriptions.length === 0 ||
    channel.subscriptions.some(
      ({ types, scope }) =>
        types.includes(event.type) &&
        LEVELS.every((level) => scope[level].length === 0 || scope[level].includes(event[level] ?? -1)),
    ));

describe('EventOutboxRepository', () => {
  let bench: WorkflowBench;
  let outbox: EventOutboxRepository;
  let tenants: { tenantId: number; divisionId: number }[];

  beforeAll(async () => {
    bench = await WorkflowBench.open();
    outbox = new EventOutboxRepository(bench.database);
    const cloud = { rows: (text: string, values?: unknown[]) => bench.rows<any>(text, values) };
    tenants = [await given.tenant(cloud as never), await given.tenant(cloud as never)];
  });
  afterAll(() => bench.close());

  it('delivers every event to exactly the channels that match, once and in order, for any subscriptions', async () => {
    const tenantIds = tenants.map(({ tenantId }) => tenantId);
    const tenant = fc.constantFrom(...tenantIds);
    const division = (id: number): number | null => tenants.find(({ tenantId }) => tenantId === id)?.divisionId ?? null;
    const event = fc
      .tuple(tenant, fc.boolean(), optional(), optional(), fc.constantFrom(...TYPES))
      .map(([id, isOfDivision, environment, deployment, type]): Event => ({
        ...{ type, tenant: id, environment, deployment },
        division: isOfDivision ? division(id) : null,
      }));
    const subscription: fc.Arbitrary<Subscription> = fc.record({
      types: fc.subarray(TYPES, { minLength: 1 }),
      scope: fc.record({
        tenant: some(tenantIds),
        division: some(tenants.map(({ divisionId }) => divisionId)),
        environment: some([1, 2, 3]),
        deployment: some([1, 2, 3]),
      }),
    });
    const channel = fc
      .tuple(tenant, fc.boolean(), fc.boolean(), fc.array(subscription, { maxLength: 3 }))
      .map(([id, isOfDivision, isOff, subscriptions]): Channel => ({
        ...{ tenant: id, enabled: !isOff, subscriptions },
        division: isOfDivision ? division(id) : null,
      }));
    const property = fc.asyncProperty(
      fc.array(channel, { minLength: 1, maxLength: 6 }),
      fc.array(event, { minLength: 1, maxLength: 12 }),
      async (channels, events) => {
        await forget();
        const channelIds = await inSeries(channels, (one) => insertChannel(one));
        const eventIds = await inSeries(events, (one) => insertEvent(one));

        await handOn(5);

        const expected = channels.map((one) => eventIds.filter((_, at) => isMatch(events[at] as Event, one)));
        expect(await deliveries(channelIds)).toEqual(expected);
      },
    );
    await fc.assert(property, { numRuns: 60 });
  });

  it('does not deliver events that are older than the channel', async () => {
    await forget();
    const first = tenants[0]?.tenantId ?? 0;
    const event: Event = { type: 'node_reachable', tenant: first, division: null, environment: null, deployment: null };
    await insertEvent(event);
    const id = await insertChannel({ tenant: first, division: null, enabled: true, subscriptions: [] });
    const later = await insertEvent(event);

    await handOn(5);

    expect(await deliveries([id])).toEqual([[later]]);
  });

  it('delivers each event once, also when several processes dispatch concurrently', async () => {
    await forget();
    const first = tenants[0]?.tenantId ?? 0;
    const channels = await inSeries([1, 2, 3], () =>
      insertChannel({ tenant: first, division: null, enabled: true, subscriptions: [] }),
    );
    const event: Event = { type: 'node_reachable', tenant: first, division: null, environment: null, deployment: null };
    const ids = await inSeries(Array.from({ length: 40 }), () => insertEvent(event));

    await Promise.all([handOn(3), handOn(3), handOn(7)]);

    expect(await deliveries(channels)).toEqual([ids, ids, ids]);
  });

  it('notifies the workers that deliver, unless no channel gets an event', async () => {
    await forget();
    const [first, second] = tenants.map(({ tenantId }) => tenantId) as [number, number];
    const event: Event = { type: 'node_reachable', tenant: first, division: null, environment: null, deployment: null };
    await insertChannel({ tenant: second, division: null, enabled: true, subscriptions: [] });
    const heard = await bench.listen('landlord_deliveries');
    await insertEvent(event);
    await handOn(5);
    await bench.rows(`select pg_notify('landlord_deliveries', 'no channel')`);

    await insertEvent({ ...event, tenant: second });
    await handOn(5);
    await bench.rows(`select pg_notify('landlord_deliveries', 'last')`);
    await eventually('the last one has come', () => heard.payloads.at(-1) === 'last');

    expect(heard.payloads).toEqual(['no channel', '', 'last']);
    await heard.end();
  });

  async function handOn(limit: number): Promise<void> {
    const some = async (): Promise<number> => {
      const events = await outbox.takeUnscoped(limit);
      if (events.length > 0) await outbox.dispatch(events.map(({ id }) => ({ id, content: `event ${id}` })));
      return events.length;
    };
    for (let handed = limit; handed > 0;) handed = await bench.database.transaction(some);
  }

  /** Ids of events per channel, in the order of the channel. Fails on a gap or a repeated sequence number. */
  async function deliveries(channelIds: number[]): Promise<number[][]> {
    const rows = await bench.rows<{ channel_id: number; sequence: number; content: string }>(
      'select channel_id::int, sequence::int, content from notification_deliveries order by channel_id, sequence',
    );
    return channelIds.map((id) => {
      const rowsOfChannel = rows.filter(({ channel_id }) => channel_id === id);
      expect(rowsOfChannel.map(({ sequence }) => sequence)).toEqual(rowsOfChannel.map((_, at) => at + 1));
      return rowsOfChannel.map(({ content }) => Number(content.split(' ')[1]));
    });
  }

  async function insertChannel({ tenant, division, enabled, subscriptions }: Channel): Promise<number> {
    const [row] = await bench.rows<{ id: number }>(
      `with c as (insert into notification_channels (tenant_id, division_id, channel, name, enabled)
                  values ($1, $2, 'webhook', gen_random_uuid()::text, $3) returning id),
            l as (insert into notification_lanes (channel_id) select id from c)
       select id::int from c`,
      [tenant, division, enabled],
    );
    const id = row?.id ?? 0;
    for (const { types, scope } of subscriptions)
      await bench.rows(
        `insert into notification_subscriptions (tenant_id, channel_id, message_types, scope_tenant_ids, scope_division_ids,
           scope_environment_ids, scope_deployment_ids) values ($1, $2, $3, $4, $5, $6, $7)`,
        [tenant, id, types, scope.tenant, scope.division, scope.environment, scope.deployment],
      );
    return id;
  }

  async function insertEvent(event: Event): Promise<number> {
    const named = (id: number | null) => (id === null ? null : { id, name: `n${id}` });
    await new LedgerRepository(bench.database).insertOutbox({
      event_key: `${Math.random()}`,
      type: event.type,
      tenant_id: event.tenant,
      division: named(event.division),
      environment: named(event.environment),
      deployment: named(event.deployment),
      subject: 's',
      data: {},
      trace_id: 't',
    });
    const [row] = await bench.rows<{ id: number }>('select max(id)::int as id from outbox');
    return row?.id ?? 0;
  }

  async function forget(): Promise<void> {
    for (const table of ['outbox', 'notification_deliveries', 'notification_channels'])
      await bench.rows(`delete from ${table}`);
  }
});

async function inSeries<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}
