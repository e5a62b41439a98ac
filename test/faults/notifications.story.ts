import { type AppProcess, eventually, SeededRandom, TestCloud, WebhookReceiver } from '@libs/testing';
import { keepEvidence } from './evidence.js';
import { InvariantBroken } from './invariants.js';
import { findBroken, type DeliveryRow, type Findings, type Story } from './notifications/delivery-checks.js';
import {
  isMatch,
  planEvent,
  type PlayedChannel,
  type PlayedEvent,
  type PlayedTenant,
} from './notifications/event-plan.js';
import { EventWriter } from './notifications/event-writer.js';
import { FickleReceiver } from './notifications/fickle-receiver.js';
import { openChannels, openTenants } from './notifications/played-tenants.js';
import { WorkerFaults } from './notifications/worker-faults.js';

const SEED = Number(process.env['FAULTS_SEED'] ?? Date.now() % 1_000_000);
const EVENTS = Number(process.env['FAULTS_EVENTS'] ?? 300);
const CHANNELS = Number(process.env['FAULTS_CHANNELS'] ?? 10);
/** The full size also kills PostgreSQL, and kills more often. */
const IS_FULL = EVENTS >= 2_000;
const DEATHS = IS_FULL
  ? { workers: Math.ceil(EVENTS / 800), databases: 2, before: 0.95 }
  : { workers: 1, databases: 0, before: 0.2 };
/** Each hang costs the ten seconds of the delivery timeout. The small size only has the hangs of `spoil` below. */
const HANGS = IS_FULL ? 0.0005 : 0;
const BATCH = 50;
/** Events are written while fewer deliveries than this are pending. */
const MOST_WAITING = 4_000;
/** One in this many events is caused through the API. */
const BY_API = 100;
const HURRY_MS = 300;
const PATIENCE_MS = IS_FULL ? 40 * 60_000 : 60_000;

const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** Many events, many channels, receivers that fail, and workers that are killed. */
describe('Under random kills of workers', () => {
  const random = new SeededRandom(SEED);
  const events: PlayedEvent[] = [];
  let cloud: TestCloud;
  let workers: AppProcess[];
  let receiver: FickleReceiver;
  let tenants: PlayedTenant[];
  let channels: PlayedChannel[];
  let faults: WorkerFaults;
  let story: Story;
  let hurrying: NodeJS.Timeout | undefined;

  beforeAll(async () => {
    say(
      `seed ${SEED}; again: npm run faults -- --story notifications --events ${EVENTS} --channels ${CHANNELS} --seed ${SEED}`,
    );
    receiver = await FickleReceiver.start(SEED, HANGS);
    const env = { ...(await WebhookReceiver.env()), LOG_LEVEL: 'info' };
    cloud = await TestCloud.start({ env, ownDatabase: IS_FULL });
    workers = [cloud.mainApi, await cloud.another('main-api')];
    faults = new WorkerFaults(cloud, workers, random);
    const started = workers[1]?.start();
    tenants = await openTenants(cloud);
    channels = await openChannels(cloud, random, tenants, receiver, CHANNELS);
    await started;
    // Shortens only the waiting times of failed deliveries, which would take hours.
    hurrying = setInterval(() => void cloud.rows(HURRY).catch(() => undefined), HURRY_MS);
  }, 120_000);
  afterAll(async () => {
    clearInterval(hurrying);
    await Promise.all([workers[1]?.kill(), receiver.stop()]);
    await cloud.stop();
  }, 60_000);

  it(
    'each event reaches every matching channel, no channel of another tenant, and repeats have the same id',
    async () => {
      const begun = performance.now();
      const planned = Array.from({ length: EVENTS }, (_, number) => planEvent(random, tenants, number));
      const expected = planned.reduce((sum, event) => sum + matchesOf(event), 0);
      // Two channels without subscriptions get the most events. The first requests of one hang, the other one returns
      // errors for a while.
      const [hanging, refusing] = channels.filter(({ subscriptions }) => subscriptions.length === 0);
      receiver.spoil(hanging?.path ?? '', Math.ceil(EVENTS / 400), 'hang');
      receiver.spoil(refusing?.path ?? '', Math.ceil(EVENTS / 20), 500);

      await Promise.all([write(planned), faults.play(DEATHS, expected, () => receiver.reached)]);
      await eventually('everything is delivered', isAtRest, PATIENCE_MS);

      story = { events, channels, arrivals: receiver.arrivals, deliveries: await deliveries(), spells: faults.spells };
      const { broken, ...figures } = findBroken(story);
      tell(figures, (performance.now() - begun) / 1000);
      broken.push(...receiver.forged);
      if (broken.length > 0) {
        const evidence = await keepEvidence({ cloud }, SEED, 'notifications');
        throw new InvariantBroken(`${broken.join('\n')}\nevidence in ${evidence}`);
      }
      // Depending on the seed, events match many channels or none. With few deliveries the test would check little.
      expect(figures.pairs).toBeGreaterThan(EVENTS / 2);
    },
    PATIENCE_MS + 60_000,
  );

  it('and the checks detect a violation', () => {
    const [first] = story.arrivals;
    const [channel] = story.channels.filter(({ path }) => path === first?.path);
    const other = story.channels.find(({ tenantId }) => tenantId !== channel?.tenantId);
    if (!first || !channel || !other) throw new InvariantBroken('nothing came');
    const broken = (change: Partial<Story>): string => findBroken({ ...story, ...change }).broken.join('\n');

    const lost = story.arrivals.filter(({ path, key }) => path !== first.path || key !== first.key);
    expect(broken({ arrivals: lost })).toContain(`${first.path}: never came, 1: ${first.key}`);
    const astray = broken({ arrivals: [...story.arrivals, { ...first, path: other.path }] });
    expect(astray).toContain(`${other.path}: came of another tenant, 1: ${first.key}`);
    expect(broken({ arrivals: [...story.arrivals, { ...first, messageId: 'new' }] })).toMatch(/another number or id/);
    const second = story.deliveries.find(({ sequence }) => sequence === 2);
    const begunAtTwo = story.deliveries.filter((row) => row.channel_id !== second?.channel_id || row.sequence !== 1);
    expect(broken({ deliveries: begunAtTwo })).toMatch(/has a gap or a repeat/);
    const pending = story.deliveries.map((row, at) => (at === 0 ? { ...row, status: 'pending' } : row));
    expect(broken({ deliveries: pending })).toMatch(/is not delivered/);
    const quiet = story.deliveries.map((row) => ({ ...row, log: [] }));
    const reversed = { arrivals: [...story.arrivals].reverse(), deliveries: quiet, spells: [] };
    expect(broken(reversed)).toMatch(/first came after a later one/);
  });

  const matchesOf = (event: PlayedEvent): number => channels.filter((channel) => isMatch(event, channel)).length;

  async function write(planned: readonly PlayedEvent[]): Promise<void> {
    const writer = new EventWriter(cloud);
    let written = 0;
    const add = (more: readonly PlayedEvent[]): void => {
      events.push(...more);
      written += more.reduce((sum, event) => sum + matchesOf(event), 0);
    };
    for (let from = 0; from < planned.length; from += BATCH) {
      const batch = planned.slice(from, from + BATCH);
      await writer.write(batch);
      add(batch);
      if (from % BY_API === 0) add([await writer.createDivision(random.pick(tenants), `division ${from}`)]);
      await eventually('some have arrived', () => written - receiver.reached < MOST_WAITING, PATIENCE_MS);
    }
  }

  /** No event or delivery is pending, and no channel queue is due, leased or failing. */
  async function isAtRest(): Promise<boolean> {
    const rows = await cloud.rows<{ open: number }>(OPEN).catch(() => []);
    return rows[0]?.open === 0;
  }

  async function deliveries(): Promise<DeliveryRow[]> {
    return cloud.rows<DeliveryRow & Record<string, unknown>>(
      `select channel_id::int, sequence::int, message_id, coalesce(data ->> 'key', data ->> 'name') as key, status, log
         from notification_deliveries`,
    );
  }

  function tell({ pairs, duplicates, overtaken }: Omit<Findings, 'broken'>, seconds: number): void {
    const count = (of: string): number => faults.spells.filter((spell) => spell.of === of).length;
    say(
      [
        `${events.length} events, ${channels.length} channels of ${tenants.length} tenants: ${pairs} deliveries in ${seconds.toFixed(1)} s`,
        `  killed: one worker ${count('a worker')}, both ${count('both workers')}, PostgreSQL ${count('PostgreSQL')}`,
        `  requests ${receiver.arrivals.length}, ${duplicates} of them repeats; first arrivals that were overtaken ${overtaken}`,
        `  ${[...receiver.tally].map(([name, times]) => `${name} ${times}`).join(', ')}`,
      ].join('\n'),
    );
  }
});

/** Skips rows that another transaction has locked, so no transaction waits for this statement. */
const HURRY = `
  with late as (
    select id, created_at from notification_deliveries
     where status = 'pending' and attempts > 0 and next_attempt_at > now() for update skip locked
  ), hurried as (
    update notification_deliveries d set next_attempt_at = now() from late
     where d.id = late.id and d.created_at = late.created_at returning d.channel_id
  )
  update notification_lanes set due_at = now(), signal_seq = signal_seq + 1
   where channel_id in (select channel_id from hurried)`;
const OPEN = `
  select ((select count(*) from outbox where dispatched_at is null)
        + (select count(*) from notification_deliveries where status = 'pending')
        + (select count(*) from notification_lanes
            where due_at is not null or leased_until > now() or failing_since is not null))::int as open`;
