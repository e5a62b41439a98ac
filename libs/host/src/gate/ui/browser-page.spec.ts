import { connect } from 'node:net';
import { aCertificate } from '../../../test/brokers/certificates.fixture.js';
import {
  aNodeSpec,
  BrokerUnderTest,
  EVERYONE,
  PASSWORD,
  until,
  type SpecChanges,
} from '../../../test/brokers/embedded.fixture.js';
import { PagePerson, type PageCall } from '../../../test/brokers/page-person.fixture.js';

const running: BrokerUnderTest[] = [];
const people: PagePerson[] = [];
let shared: Promise<BrokerUnderTest> | null = null;
const GIGABYTE = 1024 ** 3;
const LISTS = ['/ui/topics', '/ui/retained', '/ui/clients'];

async function aPerson(changes: SpecChanges = {}, ca: string | null = null): Promise<PagePerson> {
  const broker = await BrokerUnderTest.of(await aNodeSpec(changes));
  running.push(broker);
  await broker.start();
  return another(broker, ca);
}

/** A person without a session, on a broker of several tests. They do not fail to sign in, and leave no client behind. */
async function aVisitor(): Promise<PagePerson> {
  shared ??= aNodeSpec().then(async (spec) => {
    const broker = await BrokerUnderTest.of(spec);
    await broker.start();
    return broker;
  });
  return another(await shared);
}

function another(broker: BrokerUnderTest, ca: string | null = null): PagePerson {
  const person = new PagePerson(broker, ca);
  people.push(person);
  return person;
}

async function signedIn(changes: SpecChanges = {}): Promise<PagePerson> {
  const person = await aPerson(changes);
  expect((await person.signIn()).status).toBe(201);
  return person;
}

/** Sends bytes to the HTTP port. Returns the answer at the end of the connection, and the number of sent bytes. */
function sendRaw(person: PagePerson, head: string, chunk: Buffer | null): Promise<{ answer: string; sent: number }> {
  return new Promise((resolve) => {
    const [host, port] = person.host.split(':');
    const socket = connect(Number(port), host);
    let answer = '';
    socket.on('data', (data) => (answer += data.toString()));
    socket.on('error', () => undefined);
    socket.once('close', () => resolve({ answer, sent: socket.bytesWritten }));
    socket.write(head);
    if (chunk === null) return;
    const more = (): void => {
      while (!socket.destroyed && socket.write(chunk)) if (socket.bytesWritten > GIGABYTE) return;
    };
    socket.on('drain', more);
    more();
  });
}

afterEach(async () => {
  for (const person of people.splice(0)) person.leave();
  await Promise.all(running.splice(0).map((broker) => broker.destroy()));
});
afterAll(async () => (await shared)?.destroy());

describe('The files of the page', () => {
  it('need no session, and all answers of the port have strict headers and no CORS header', async () => {
    const person = await aVisitor();
    const answer = await person.get('/');
    const paths = [
      '/ui/',
      '/ui/page.css',
      '/ui/mqtt/page.js',
      '/ui/api.js',
      '/ui/elements.js',
      '/ui/mqtt/lists.js',
      '/ui/mqtt/messages.js',
    ];
    const others = ['/ping', '/stats', '/nothing', '/ui/nothing', '/ui/session', ...LISTS];

    const answers = await Promise.all([...paths, ...others].map((path) => person.get(path)));

    expect([answer.status, answer.headers.location]).toEqual([302, '/ui/']);
    expect(answers.slice(0, paths.length).map(({ status }) => status)).toEqual(paths.map(() => 200));
    expect(answers.slice(0, 3).map(({ headers }) => headers['content-type'])).toEqual([
      ...['text/html; charset=utf-8', 'text/css; charset=utf-8', 'text/javascript; charset=utf-8'],
    ]);
    for (const { headers } of [answer, ...answers]) {
      expect(headers).toMatchObject({
        'content-security-policy': expect.stringMatching(/^default-src 'none'; script-src 'self'; style-src 'self'; /),
        ...{ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' },
        ...{ 'cross-origin-opener-policy': 'same-origin', 'cross-origin-resource-policy': 'same-origin' },
      });
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
    expect(await person.call('HEAD', '/ui/')).toMatchObject({ status: 200, text: '' });
    expect(await person.call('POST', '/ui/')).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
  });

  it.each([
    ...['/ui/../ui/page.css', '/ui/../../../../../../../../etc/passwd', '/ui/..%2f..%2fbrowser-page.js', '/ui/%2e%2e/'],
    ...[
      '/ui//page.js',
      '/ui/page/page.js',
      '/ui/page.css/',
      '/ui/PAGE.css',
      '/ui/index.html',
      '/ui/__proto__',
      '/ui/\\..\\',
    ],
    ...['/../ui/', '/ui/clients/../session', '//ui/'],
  ])('are not found under %s', async (path) => {
    const person = await aVisitor();

    const { status, text } = await person.get(path);

    expect([401, 404]).toContain(status);
    expect(text).toMatch(/^\{.*"code":"(route_not_found|unauthenticated)"/);
  });
});

describe('A client that offers an upgrade to another protocol', () => {
  it.each(['h2c', 'websocket'])('such as %s gets the same answers', async (upgrade) => {
    const person = await aVisitor();
    const headers = { connection: 'Upgrade', upgrade };

    expect(await person.call('GET', '/ping', { headers })).toMatchObject({ status: 200, text: 'pong' });
    expect((await person.call('GET', '/stats', { headers })).status).toBe(401);
    expect((await person.call('GET', '/ui/', { headers })).text).toContain('<!doctype html>');
    expect((await person.call('GET', '/ui/topics', { headers })).body.code).toBe('unauthenticated');
    expect((await person.signIn(PASSWORD, { headers })).body.code).toBe('body_too_large');
  });
});

describe('A session of the page', () => {
  it('starts with the credentials, has a cookie of this node only, and ends with the sign-out', async () => {
    const person = await aPerson();
    const wrong = [
      await person.signIn('wrong'),
      await person.call('POST', '/ui/session', { body: { username: 'root', password: PASSWORD } }),
    ];
    for (const answer of wrong) expect(answer.body).toMatchObject({ status: 401, code: 'credentials_wrong' });
    for (const path of [...LISTS, '/ui/session'])
      expect((await person.get(path)).body).toMatchObject({ status: 401, code: 'unauthenticated' });

    const { status, body, headers } = await person.signIn();

    expect([status, headers['set-cookie']]).toEqual([
      ...[
        201,
        [expect.stringMatching(/^landlord_ui_d1_n1=[\w-]{43}; Path=\/ui; Max-Age=28800; HttpOnly; SameSite=Strict$/)],
      ],
    ]);
    const identity = { deployment_id: 1, node_id: 1, node_name: 'node-1', driver: 'embedded', username: 'admin' };
    expect(body).toEqual({ ...identity, expires_at: expect.stringMatching(/Z$/) });
    expect((await person.get('/ui/session')).body).toEqual(body);
    for (const path of LISTS) expect((await person.get(path)).status).toBe(200);
    const connection = await person.ready();
    const stolen = { cookie: person.cookie.replace('_d1_', '_d2_') };
    expect((await person.call('GET', '/ui/topics', { headers: stolen })).status).toBe(401);
    const left = await person.call('DELETE', '/ui/session');
    expect([left.status, left.headers['set-cookie']?.[0]]).toEqual([204, expect.stringContaining('Max-Age=0')]);
    expect((await person.get('/ui/topics')).status).toBe(401);
    expect(await connection.end()).toBe(4401);
  });

  it('is replaced by a further sign-in, and its cookie is secure over TLS', async () => {
    const certs = await aCertificate();
    const person = await aPerson({ certs }, certs.ca);
    const answer = await person.signIn();
    const before = person.cookie;

    await person.signIn();

    expect(answer.headers['set-cookie']?.[0]).toMatch(/; HttpOnly; SameSite=Strict; Secure$/);
    expect((await person.get('/ui/topics')).status).toBe(200);
    expect((await person.call('GET', '/ui/topics', { headers: { cookie: before } })).status).toBe(401);
    expect((await (await person.ready()).ask({ do: 'subscribe', topic: '#' })).type).toBe('done');
  });

  it('ends with a rotation of the credentials, with its WebSocket', async () => {
    const person = await signedIn();
    const connection = await person.ready();

    await person.broker.rotate('the next one', null);

    expect(await connection.end()).toBe(4401);
    expect((await person.get('/ui/topics')).status).toBe(401);
    expect((await person.signIn()).status).toBe(401);
    expect((await person.signIn('the next one')).status).toBe(201);
  });

  it('ends at once with a rotation, also while the old password is good, and with the end of that password', async () => {
    const person = await signedIn();
    const connection = await person.ready();
    const valid_to = new Date(Date.now() + 2_000).toISOString();

    await person.broker.rotate('the next one', { password: PASSWORD, valid_to });

    expect(await connection.end()).toBe(4401);
    expect((await person.get('/ui/topics')).status).toBe(401);
    expect((await person.signIn()).status).toBe(201);
    const second = await person.ready();
    const newcomer = another(person.broker);
    expect((await newcomer.signIn('the next one')).status).toBe(201);
    expect(await second.end()).toBe(4401);
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(valid_to));
    expect((await person.signIn()).status).toBe(401);
    expect((await newcomer.get('/ui/topics')).status).toBe(200);
  });

  it('waits after five failures of its address, also with the right password, and other addresses do not', async () => {
    const person = await aPerson();
    for (let failure = 0; failure < 5; failure += 1) expect((await person.signIn('wrong')).status).toBe(401);

    const refused = await person.signIn();

    expect([refused.status, refused.body.code, refused.headers['retry-after']]).toEqual([
      429,
      'too_many_failures',
      '1',
    ]);
    expect((await another(person.broker).signIn(PASSWORD, { from: '127.0.0.2' })).status).toBe(201);
    await until('the wait is over', async () => (await person.signIn()).status === 201);
  });

  it.each<[string, PageCall, number, string]>([
    ['another type', { headers: { 'content-type': 'text/plain' } }, 415, 'content_type_unsupported'],
    ['no JSON', { body: 'x' }, 400, 'body_invalid'],
    ['null', { body: null }, 400, 'body_invalid'],
    ['a list as the name', { body: { username: ['admin'], password: PASSWORD } }, 400, 'body_invalid'],
    ['a large body', { body: { username: 'admin', password: 'x'.repeat(5_000) } }, 413, 'body_too_large'],
  ])('does not start with %s', async (_what, call, status, code) => {
    const person = await aVisitor();

    const answer = await person.signIn(PASSWORD, call);

    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(answer.headers['content-type']).toBe('application/problem+json');
  });
});

describe('A request of another site', () => {
  const evil: [string, Record<string, string | undefined>][] = [
    ['without an origin', { origin: undefined }],
    ['with the origin null', { origin: 'null' }],
    ['with another origin', { origin: 'http://evil.example' }],
    ['with another port', { origin: 'http://127.0.0.1:1' }],
    ['without the header of the page', { 'landlord-page': undefined }],
    ['that the browser marks as cross-site', { 'sec-fetch-site': 'cross-site' }],
  ];

  it.each(evil)('%s changes nothing', async (_case, headers) => {
    const person = await aVisitor();
    await person.signIn();
    const client = await person.broker.client();
    const clients = async () => (await person.get('/ui/clients')).body.items;
    const listed = (await clients()).find(({ client_id: id }) => id === client.options.clientId);

    const answers = [
      await person.signIn(PASSWORD, { headers }),
      await person.call('DELETE', `/ui/clients/${listed?.['id']}`, { headers }),
      await person.call('DELETE', '/ui/session', { headers }),
    ];

    for (const { body } of answers) expect(body).toMatchObject({ status: 403, code: 'origin_refused' });
    expect(await clients()).toContainEqual(listed);
    await client.endAsync(true);
  });

  it('opens no WebSocket, and neither does a browser without a session', async () => {
    const person = await aVisitor();
    await person.signIn();

    await expect(person.connect({ origin: 'http://evil.example' })).rejects.toThrow('status 403');
    await expect(person.connect({ 'sec-fetch-site': 'cross-site' })).rejects.toThrow('status 403');
    await expect(person.connect({ cookie: '' })).rejects.toThrow('status 401');
    await expect(person.connect({}, '/ui/other')).rejects.toThrow('status 404');
    await expect(person.connect({}, '/')).rejects.toThrow('status 302');
    await (await person.ready()).ask({ do: 'subscribe', topic: 'a' });
  });
});

describe('A large body', () => {
  it.each(['/ui/session', '/ui/topics', '/ping', '/stats', '/'])('of 1 GB to %s is not read', async (path) => {
    const person = await aVisitor();
    const head = (size: string): string =>
      `POST ${path} HTTP/1.1\r\nhost: ${person.host}\r\norigin: ${person.origin}\r\nlandlord-page: 1\r\n` +
      `content-type: application/json\r\n${size}\r\n\r\n`;
    const megabyte = Buffer.alloc(1024 * 1024, 'x');
    const chunk = Buffer.concat([Buffer.from('100000\r\n'), megabyte, Buffer.from('\r\n')]);

    const announced = await sendRaw(person, head(`content-length: ${GIGABYTE}`), null);
    const answer = await sendRaw(person, head(`content-length: ${GIGABYTE}`), megabyte);
    const chunked = await sendRaw(person, head('transfer-encoding: chunked'), chunk);

    expect(announced.answer).toMatch(/^HTTP\/1.1 413 [\s\S]*connection: close[\s\S]*body_too_large/i);
    for (const { sent: bytes } of [answer, chunked]) expect(bytes).toBeLessThan(GIGABYTE / 16);
    expect((await person.get('/ping')).text).toBe('pong');
  });
});

describe('The access rules', () => {
  it('of HTTP alone suffice for the page with its WebSocket, and cut it when they are removed', async () => {
    const person = await signedIn({ rules: [{ ...EVERYONE, protocols: ['http'] }] });
    const connection = await person.ready();
    expect((await connection.ask({ do: 'publish', topic: 'a', payload: 'x', qos: 1 })).type).toBe('done');
    await expect(person.broker.client()).rejects.toMatchObject({ code: 'ECONNRESET' });

    await person.broker.setRules([{ ...EVERYONE, protocols: ['tcp', 'websocket'] }]);

    expect(await connection.end()).toBe(1006);
    await expect(person.get('/ui/')).rejects.toMatchObject({ code: 'ECONNRESET' });
  });
});
