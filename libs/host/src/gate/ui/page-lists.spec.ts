import { describeWithNats, NATS_SERVER } from '@libs/testing';
import {
  aNodeSpec,
  BrokerUnderTest,
  inboxOf,
  until,
  type SpecChanges,
} from '../../../test/brokers/embedded.fixture.js';
import { aNatsNode } from '../../../test/brokers/nats.fixture.js';
import { PagePerson, type PageBody } from '../../../test/brokers/page-person.fixture.js';

const running: BrokerUnderTest[] = [];
const people: PagePerson[] = [];
const HOSTILE = '<img src=x onerror=alert(1)>';
const REVERSED = 'a\u202egpj.exe\u200b';

const DRIVERS = [
  {
    driver: 'embedded',
    suite: describe,
    make: async (changes: SpecChanges) => BrokerUnderTest.of(await aNodeSpec(changes)),
  },
  { driver: 'nats', suite: describeWithNats, make: (changes: SpecChanges) => aNatsNode(NATS_SERVER, changes) },
];

async function visit(broker: BrokerUnderTest): Promise<PagePerson> {
  const person = new PagePerson(broker);
  people.push(person);
  expect((await person.signIn()).status).toBe(201);
  return person;
}

const list = async (person: PagePerson, path: string): Promise<PageBody> => (await person.get(`/ui/${path}`)).body;

/** Retained messages are read again after 3 seconds. */
const eventuallyListed = (person: PagePerson, path: string, count: number): Promise<PageBody> =>
  until(`${count} results of ${path}`, async () => {
    const body = await list(person, path);
    return body['total_results'] === count ? body : null;
  });

afterEach(async () => {
  for (const person of people.splice(0)) person.leave();
  await Promise.all(running.splice(0).map((broker) => broker.destroy()));
});

for (const { driver, suite, make } of DRIVERS)
  suite(`The page of a node with ${driver}`, () => {
    async function aPerson(changes: SpecChanges = {}): Promise<PagePerson> {
      const broker = await make(changes);
      running.push(broker);
      await broker.start();
      return visit(broker);
    }

    it('lists topics with the number of their messages and whether one is retained, as they are', async () => {
      const person = await aPerson();
      const client = await person.broker.client();
      await client.publishAsync('plant/1', 'x', { qos: 1 });
      await client.publishAsync('plant/1', 'x', { qos: 1 });
      await client.publishAsync('plant/2', 'x', { qos: 1, retain: true });
      await client.publishAsync('<b>bold</b>', 'x', { qos: 1 });
      await client.publishAsync(REVERSED.replace('.', ''), 'x', { qos: 1 });

      const body = await list(person, 'topics');

      expect(body).toEqual({
        items: [
          { topic: '<b>bold</b>', messages: 1, retained: false },
          { topic: REVERSED.replace('.', ''), messages: 1, retained: false },
          { topic: 'plant/1', messages: 2, retained: false },
          { topic: 'plant/2', messages: 1, retained: true },
        ],
        ...{ page: 1, total_results: 4, total_pages: 1, uncounted_messages: 0, retained_complete: true },
        ...{ since: expect.stringMatching(/Z$/), counted_for: driver === 'nats' ? 'node' : 'deployment' },
      });
      expect((await list(person, 'topics?search=PLANT/2')).items).toHaveLength(1);
      await client.endAsync();
    });

    it('lists retained messages as text or bytes, and the start of long ones', async () => {
      const person = await aPerson();
      const client = await person.broker.client();
      await client.publishAsync('binary', Buffer.from([0xff, 0x00]), { qos: 1, retain: true });
      await client.publishAsync('hostile', `${HOSTILE}\n${REVERSED}`, { qos: 0, retain: true });
      await client.publishAsync('long', 'x'.repeat(100_000), { qos: 1, retain: true });
      await client.publishAsync('not-retained', 'x', { qos: 1 });

      const body = await eventuallyListed(person, 'retained', 3);

      expect(body).toMatchObject({ page: 1, total_pages: 1, is_complete: true });
      expect(body.items).toMatchObject([
        { topic: 'binary', payload: '/wA=', encoding: 'base64', bytes: 2, is_truncated: false },
        { topic: 'hostile', payload: `${HOSTILE}\n${REVERSED}`, encoding: 'text', is_truncated: false },
        { topic: 'long', payload: 'x'.repeat(4096), encoding: 'text', bytes: 100_000, is_truncated: true },
      ]);
      await client.publishAsync('long', '', { qos: 1, retain: true });
      expect((await eventuallyListed(person, 'retained', 2)).items.map(({ topic }) => topic)).toEqual([
        'binary',
        'hostile',
      ]);
      await client.endAsync();
    });

    it('divides long lists into pages, and refuses pages out of bounds', async () => {
      const person = await aPerson();
      const client = await person.broker.client();
      for (let index = 0; index < 130; index += 1)
        await client.publishAsync(`t/${String(index).padStart(3, '0')}`, 'x', {
          qos: index === 129 ? 1 : 0,
          retain: true,
        });

      const first = await eventuallyListed(person, 'topics', 130);

      expect([first.items.length, first['total_pages']]).toEqual([50, 3]);
      expect((await list(person, 'topics?page=3')).items.map(({ topic }) => topic).at(-1)).toBe('t/129');
      expect((await list(person, 'topics?page=2&results=100')).items).toHaveLength(30);
      expect((await list(person, 'retained?page=4')).items).toEqual([]);
      for (const query of [
        'page=0',
        'page=x',
        'page=-1',
        'page=1e3',
        'results=101',
        'results=0',
        `search=${'x'.repeat(257)}`,
      ])
        for (const name of ['topics', 'retained', 'clients'])
          expect(await list(person, `${name}?${query}`)).toMatchObject({ status: 400, code: 'query_invalid' });
      await client.endAsync();
    });

    it('lists the clients of this node once, and disconnects one', async () => {
      const person = await aPerson();
      const [first, web] = [
        await person.broker.client({ clientId: HOSTILE.replace(/\W/g, '-') }),
        await person.broker.client({ clientId: 'web' }, 'websocket'),
      ];
      await expect(person.broker.client({ password: 'wrong' })).rejects.toThrow();
      const page = await person.ready();

      const { items, ...rest } = await list(person, 'clients');

      const common = { id: expect.any(String), address: '127.0.0.1', tls: false, since: expect.stringMatching(/Z$/) };
      expect(items).toEqual([
        { ...common, client_id: HOSTILE.replace(/\W/g, '-'), protocol: 'tcp' },
        { ...common, client_id: 'web', protocol: 'websocket' },
        { ...common, client_id: page.inbox[0]?.client_id, protocol: 'browser' },
      ]);
      expect(rest).toEqual({ page: 1, total_results: 3, total_pages: 1, node_id: 1 });
      const closed = Promise.all(
        [first, web].map((one) => new Promise((resolve) => one.once('close', () => resolve(null)))),
      );
      for (const { id } of items) expect((await person.call('DELETE', `/ui/clients/${id}`)).status).toBe(204);
      await closed;
      expect(await page.end()).toBe(4503);
      await until('all are gone', async () => (await list(person, 'clients')).items.length === 0);
      expect((await person.call('DELETE', `/ui/clients/${items[0]?.['id']}`)).body.code).toBe('client_not_found');
      expect((await person.call('GET', `/ui/clients/${items[0]?.['id']}`)).status).toBe(405);
      await Promise.all([first, web].map((one) => one.endAsync(true)));
    });

    it('publishes and subscribes over its WebSocket', async () => {
      const person = await aPerson();
      const client = await person.broker.client();
      const inbox = inboxOf(client);
      await client.subscribeAsync('from/page', { qos: 1 });
      await client.publishAsync('to/page/kept', HOSTILE, { qos: 1, retain: true });
      const page = await person.ready();

      expect(await page.ask({ do: 'subscribe', topic: 'to/page/#' })).toMatchObject({ type: 'done' });
      await client.publishAsync('to/page/live', Buffer.from([0xff]), { qos: 1 });
      for (const qos of [0, 1])
        expect(await page.ask({ do: 'publish', topic: 'from/page', payload: `ü${qos}`, qos })).toMatchObject({
          type: 'done',
        });

      await until('the page has both messages', () => page.messages.length === 2);
      expect(page.messages).toMatchObject([
        { topic: 'to/page/kept', payload: HOSTILE, encoding: 'text', retain: true },
        { topic: 'to/page/live', payload: '/w==', encoding: 'base64', bytes: 1, retain: false },
      ]);
      await until('the client has both messages', () => inbox.length === 2);
      expect(inbox.map(({ text }) => text)).toEqual(['ü0', 'ü1']);
      expect(await page.ask({ do: 'unsubscribe', topic: 'to/page/#' })).toMatchObject({ type: 'done' });
      await client.publishAsync('to/page/live', 'later', { qos: 1 });
      expect(await page.ask({ do: 'subscribe', topic: 'other' })).toMatchObject({ type: 'done' });
      expect(page.messages).toHaveLength(2);
      await client.endAsync();
    });
  });

describe('The WebSocket of the page', () => {
  async function aPerson(changes: SpecChanges = {}): Promise<PagePerson> {
    const broker = await BrokerUnderTest.of(await aNodeSpec(changes));
    running.push(broker);
    await broker.start();
    return visit(broker);
  }

  it('refuses malformed requests, wrong topics, large payloads and the 21st subscription, and stays open', async () => {
    const person = await aPerson({ values: { 'mqtt.max_packet_size': 2_000 } });
    const page = await person.ready();
    for (let index = 0; index < 20; index += 1) await page.ask({ do: 'subscribe', topic: `t/${index}` });

    expect(await page.ask({ do: 'subscribe', topic: 'more' })).toMatchObject({ code: 'subscriptions_limit' });
    expect(await page.ask({ do: 'publish', topic: 'a/#', payload: '' })).toMatchObject({ code: 'topic_invalid' });
    expect(await page.ask({ do: 'publish', topic: 'a', payload: 'x'.repeat(2_000) })).toMatchObject({
      code: 'payload_too_large',
    });
    page.socket.send('not json');
    await until('a refusal', () => page.inbox.find(({ code }) => code === 'request_invalid'));
    expect((await page.ask({ do: 'publish', topic: 'a', payload: 'x'.repeat(1_980), qos: 1 })).type).toBe('done');
  });

  it('closes with binary data, and with a message above 512 KiB', async () => {
    const person = await aPerson();
    const [binary, large] = [await person.ready(), await person.ready()];

    binary.socket.send(Buffer.from([1, 2, 3]));
    large.socket.send('x'.repeat(513 * 1024));

    expect(await binary.end()).toBe(1006);
    expect(await large.end()).toBe(1009);
  });

  it('is refused by the broker above mqtt.max_connections, and 33 are too many for a node', async () => {
    const person = await aPerson({ values: { 'mqtt.max_connections': 1 } });
    await person.ready();
    const refused = await person.connect();
    expect(await refused.end()).toBe(4503);

    const other = await aPerson();
    for (let index = 0; index < 32; index += 1) await other.connect();
    await expect(other.connect()).rejects.toThrow('status 503');
  });

  it('accepts a keep-alive limit of the broker', async () => {
    const person = await aPerson({ values: { 'mqtt.keepalive_limit': 1 } });
    const page = await person.ready();

    await new Promise((wake) => setTimeout(wake, 3_000));

    expect((await page.ask({ do: 'publish', topic: 'a', payload: 'x', qos: 1 })).type).toBe('done');
  });
});

describe('The page of a follower', () => {
  it('shows the clients and the counts of its own node, and the retained messages of the cluster', async () => {
    const cluster = { size: 2, ordinal: 1, leader: null, secret: 'cluster secret' };
    const leader = await BrokerUnderTest.of(await aNodeSpec({ cluster }));
    running.push(leader);
    const at = { host: '127.0.0.1', port: leader.spec.listen.peer ?? 0 };
    const follower = await BrokerUnderTest.of(
      await aNodeSpec({ nodeId: 2, cluster: { ...cluster, ordinal: 2, leader: at } }),
    );
    running.push(follower);
    await Promise.all([leader.start(), follower.start()]);
    const [far, near] = [await leader.client({ clientId: 'far' }), await follower.client({ clientId: 'near' })];
    const web = await follower.client({ clientId: 'near-web' }, 'websocket');
    await far.publishAsync('of/leader', 'kept', { qos: 1, retain: true });
    await near.publishAsync('of/follower', 'x', { qos: 1 });
    const inbox = inboxOf(far);
    await far.subscribeAsync('from/page');
    const [person, other] = [await visit(follower), await visit(leader)];
    const page = await person.ready();

    await page.ask({ do: 'publish', topic: 'from/page', payload: 'hello', qos: 1 });

    await until('the client of the leader has the message', () => inbox.length === 1);
    expect(await list(person, 'topics')).toMatchObject({
      items: [
        { topic: 'from/page', messages: 1 },
        { topic: 'of/follower', messages: 1 },
        { topic: 'of/leader', messages: 0, retained: true },
      ],
      counted_for: 'node',
    });
    expect((await list(other, 'topics'))['counted_for']).toBe('deployment');
    const names = async (one: PagePerson) => (await list(one, 'clients')).items.map(({ client_id: id }) => id);
    expect(await names(person)).toEqual(['near', 'near-web', page.inbox[0]?.client_id]);
    expect(await names(other)).toEqual(['far']);
    const gauges = await Promise.all([leader, follower].map(({ runtime, home }) => runtime.stats(home)));
    expect(gauges.map(({ clients }) => clients)).toEqual([1, 3]);
    await Promise.all([far, near, web].map((one) => one.endAsync(true)));
  });
});
