import { describeWithIggy, IggyHttp, numbered } from '@libs/testing';
import type { BrokerUnderTest } from '../../../../../test/brokers/embedded.fixture.js';
import { anIggyNode } from '../../../../../test/brokers/iggy.fixture.js';
import { PagePerson, type PageAnswer } from '../../../../../test/brokers/page-person.fixture.js';

const HOSTILE = '<img src=x onerror=alert(1)>';
const LISTS = ['/ui/streams', '/ui/streams/0', '/ui/streams/0/topics/0', '/ui/streams/0/topics/0/messages'];
const MESSAGES = '/ui/streams/0/topics/0/messages';

/** The page of a node with iggy, over a real gate and a real server. */
describeWithIggy('The page of a node with iggy', () => {
  let node: BrokerUnderTest;
  let client: IggyHttp;
  let person: PagePerson;

  beforeAll(async () => {
    node = await anIggyNode();
    await node.start();
    client = await IggyHttp.signIn(node.spec.listen.ports.http);
    await client.createTopic('orders');
    await client.createTopic(HOSTILE);
    await client.send('orders', numbered(30));
  });
  beforeEach(async () => {
    person = new PagePerson(node);
    expect((await person.signIn()).status).toBe(201);
  });
  afterEach(() => person.leave());
  afterAll(() => node.destroy());

  /** The address of the messages of a topic. Tests run in any order, so ids differ. */
  async function messagesOf(stream: string): Promise<string> {
    const { body } = await client.call<{ id: number }>('GET', `/streams/${stream}`);
    return `/ui/streams/${body.id}/topics/0/messages`;
  }

  const problem = ({ status, body }: PageAnswer): unknown[] => [status, body.code];

  it('is opened by browsers at the root, and programs get the answer of the server there', async () => {
    const browser = await person.call('GET', '/', { headers: { accept: 'text/html,*/*' } });
    const program = await person.call('GET', '/', { headers: { accept: '*/*' } });
    const page = await person.get('/ui/');

    expect([browser.status, browser.headers.location]).toEqual([302, '/ui/']);
    expect([program.status, program.headers.location]).toEqual([200, undefined]);
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    for (const path of ['/ui/iggy/page.js', '/ui/iggy/views.js', '/ui/session.js', '/ui/tables.js', '/ui/page.css']) {
      const file = await person.get(path);
      expect([path, file.status]).toEqual([path, 200]);
      expect(file.headers['content-security-policy']).toContain("default-src 'none'");
    }
    for (const path of ['/ui/mqtt/lists.js', '/ui/../iggy.toml', '/ui/%2e%2e/iggy.env', '/ui/socket'])
      expect(problem(await person.get(path))).toEqual([404, 'route_not_found']);
  });

  it('lists streams, topics and partitions, in pages, with a search', async () => {
    const streams = await person.get('/ui/streams?results=1&page=2&search=or');
    const answer = await person.get('/ui/streams?search=ORD');
    const topics = await person.get('/ui/streams/0');
    const topic = await person.get('/ui/streams/0/topics/0');

    expect(streams.body).toMatchObject({ page: 2, total_results: 2, total_pages: 2, items: [{ name: HOSTILE }] });
    expect(answer.body.items).toEqual([
      { id: 0, name: 'orders', topics: 1, messages: 30, bytes: expect.any(Number), created_at: expect.any(String) },
    ]);
    expect(topics.body).toMatchObject({
      stream: { name: 'orders' },
      items: [{ id: 0, name: 'orders', partitions: 1 }],
    });
    expect(topic.body).toMatchObject({ topic: { messages: 30 }, items: [{ id: 0, messages: 30, last_offset: 29 }] });
  });

  it('reads the newest messages, or those from an offset on, and at most 50', async () => {
    const newest = await person.get(`${MESSAGES}?results=2`);
    const from = await person.get(`${MESSAGES}?offset=10&results=3`);

    expect(newest.body.items.map(({ offset, payload }) => [offset, payload])).toEqual([
      [28, 'message 28'],
      [29, 'message 29'],
    ]);
    expect(from.body.items.map(({ offset }) => offset)).toEqual([10, 11, 12]);
    for (const query of [
      'results=51',
      'results=0',
      'offset=-1',
      'offset=x',
      'partition=1.5',
      'offset=9999999999999999',
    ])
      expect(problem(await person.get(`${MESSAGES}?${query}`))).toEqual([400, 'query_invalid']);
    for (const path of ['/ui/streams/99', '/ui/streams/0/topics/99', `${MESSAGES}?partition=7`])
      expect(problem(await person.get(path))).toEqual([404, 'not_found']);
  });

  it('shortens long payloads, and shows bytes that are no text as base64', async () => {
    await client.createTopic('long');
    await client.send('long', ['x'.repeat(100_000)]);
    const path = await messagesOf('long');
    const answer = await person.call('POST', path, {
      body: { payload: Buffer.from([0, 255]).toString('base64'), encoding: 'base64' },
    });

    const { items } = (await person.get(path)).body;

    expect(answer.status).toBe(204);
    expect(items).toMatchObject([
      { encoding: 'text', bytes: 100_000, is_truncated: true },
      { encoding: 'base64', payload: 'AP8=', bytes: 2, is_truncated: false },
    ]);
    expect(String(items[0]?.['payload']).length).toBe(4096);
  });

  it('sends a message as the client, and refuses what is no message', async () => {
    await client.createTopic('sent');
    const path = await messagesOf('sent');
    expect((await person.call('POST', path, { body: { payload: HOSTILE, partition: 0 } })).status).toBe(204);
    expect(await client.poll('sent')).toEqual([HOSTILE]);

    for (const [body, code] of [
      [{ payload: '' }, 'payload_empty'],
      [{ payload: 5 }, 'body_invalid'],
      [{ payload: 'a', encoding: 'hex' }, 'body_invalid'],
      [{ payload: 'a', partition: -1 }, 'body_invalid'],
      ['no json', 'body_invalid'],
      [{ payload: 'x'.repeat(65_537) }, 'payload_too_large'],
      [{ payload: 'x'.repeat(200_000) }, 'body_too_large'],
    ] as const)
      expect((await person.call('POST', path, { body })).body.code).toBe(code);
    expect(problem(await person.call('POST', path, { body: { payload: 'a', partition: 9 } }))).toEqual([
      404,
      'not_found',
    ]);
    expect(await client.poll('sent')).toHaveLength(1);
  });

  it('needs a session, and its own origin for changes', async () => {
    const stranger = new PagePerson(node);
    for (const path of LISTS) expect(problem(await stranger.get(path))).toEqual([401, 'unauthenticated']);
    const body = { payload: 'a' };
    expect(problem(await stranger.call('POST', MESSAGES, { body }))).toEqual([401, 'unauthenticated']);
    for (const headers of [{ origin: 'http://evil.example' }, { origin: undefined }, { 'landlord-page': undefined }])
      expect(problem(await person.call('POST', MESSAGES, { body, headers }))).toEqual([403, 'origin_refused']);
    for (const path of LISTS)
      expect(problem(await person.call('DELETE', path, {}))).toEqual([405, 'method_not_allowed']);
    expect(problem(await stranger.signIn('wrong'))).toEqual([401, 'credentials_wrong']);
  });

  it('shows nothing of the server: users, statistics and snapshots stay on the node', async () => {
    for (const path of ['/ui/users', '/ui/snapshot', '/ui/stats', '/ui/clients', '/ui/streams/../users'])
      expect(problem(await person.get(path))).toEqual([404, 'route_not_found']);
    const answers = await Promise.all(LISTS.map((path) => person.get(path)));
    for (const { text } of answers)
      for (const secret of ['landlord-root', 'clients-']) expect(text).not.toContain(secret);
  });

  it('answers that the broker does not respond while the server is away', async () => {
    const node = await anIggyNode();
    await node.start();
    const watcher = new PagePerson(node);
    await watcher.signIn();
    process.kill((await node.ready()).pid, 'SIGKILL');

    expect(problem(await watcher.get('/ui/streams'))).toEqual([503, 'broker_unavailable']);
    await node.destroy();
  });

  it('ends with a rotation of the credentials', async () => {
    const node = await anIggyNode();
    await node.start();
    const watcher = new PagePerson(node);
    await watcher.signIn();
    await node.rotate('another password', null);

    expect(problem(await watcher.get('/ui/streams'))).toEqual([401, 'unauthenticated']);
    expect((await watcher.signIn('another password')).status).toBe(201);
    expect((await watcher.get('/ui/streams')).body).toMatchObject({ total_results: 0 });
    await node.destroy();
  });
});
