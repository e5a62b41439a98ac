import { connect } from 'node:net';
import { IggyFrames, IggyHttp, describeWithIggy, numbered } from '@libs/testing';
import { aCertificate } from '../../../../test/brokers/certificates.fixture.js';
import {
  EVERYONE,
  PASSWORD,
  until,
  type BrokerUnderTest,
  type SpecChanges,
} from '../../../../test/brokers/embedded.fixture.js';
import { anIggyNode } from '../../../../test/brokers/iggy.fixture.js';
import { connect as connectTls } from 'node:tls';

const nodes: BrokerUnderTest[] = [];
const clients: IggyFrames[] = [];

async function aNode(changes: SpecChanges = {}): Promise<BrokerUnderTest> {
  const node = await anIggyNode(changes);
  nodes.push(node);
  await node.start();
  return node;
}

async function tcp(node: BrokerUnderTest): Promise<IggyFrames> {
  const client = await IggyFrames.open(node.spec.listen.ports.tcp ?? 0);
  clients.push(client);
  return client;
}

async function websocket(node: BrokerUnderTest): Promise<IggyFrames> {
  const client = await IggyFrames.overWebSocket(node.spec.listen.ports.websocket ?? 0);
  clients.push(client);
  return client;
}

const httpOf = (node: BrokerUnderTest): number | null => node.spec.listen.ports.http;

/** Statuses of answers to frames. */
const STATUS = { ok: 0, invalidCommand: 3, unauthenticated: 40, unauthorized: 41, invalidCredentials: 42 };
const CODE = { ping: 1, stats: 10, snapshot: 11, me: 20, users: 32, streams: 201 };

afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  await Promise.all(nodes.splice(0).map((node) => node.destroy()));
});

describeWithIggy('the gate in front of iggy-server', () => {
  it.each([
    ['TCP', tcp],
    ['WebSocket', websocket],
  ])('lets clients with the password in over %s, and no one else', async (_protocol, open) => {
    const node = await aNode();
    const client = await open(node);

    expect((await client.ask(CODE.streams)).status).toBe(STATUS.unauthenticated);
    for (const [username, password] of [
      ['admin', 'wrong'],
      ['landlord-root', PASSWORD],
      ['', ''],
      ['nobody', 'refused'],
    ] as const)
      expect([username, (await client.signIn(password, username)).status]).toEqual([
        username,
        STATUS.invalidCredentials,
      ]);
    expect((await client.signIn()).status).toBe(STATUS.ok);
    expect((await client.ask(CODE.streams)).status).toBe(STATUS.ok);

    expect((await node.runtime.stats(node.home))['refused_logins']).toBe(4);
    expect((await node.ready()).refusedLogins).toMatchObject([{ address: '127.0.0.1', count: 4 }]);
  });

  it('lets clients with the password in by HTTP, and no one else', async () => {
    const node = await aNode();
    const anonymous = IggyHttp.anonymous(httpOf(node));

    for (const [username, password] of [
      ['admin', 'wrong'],
      ['landlord-root', PASSWORD],
    ])
      expect(await anonymous.call('POST', '/users/login', { username, password })).toMatchObject({
        status: 400,
        body: { code: 'invalid_credentials' },
      });
    expect((await anonymous.call('POST', '/users/login', [1])).status).toBe(400);
    expect((await anonymous.call('POST', '/users/login', { username: 'x'.repeat(20_000) })).status).toBe(413);
    const client = await IggyHttp.signIn(httpOf(node));
    expect((await client.call('GET', '/streams')).body).toEqual([]);
    expect((await node.runtime.stats(node.home))['refused_logins']).toBeGreaterThanOrEqual(2);
  });

  it.each([
    ['TCP', tcp],
    ['WebSocket', websocket],
  ])('refuses the snapshot of the server over %s, and serves the connection on', async (_protocol, open) => {
    const node = await aNode();
    const client = await open(node);
    await client.signIn();

    const { status, payload } = await client.ask(CODE.snapshot, Buffer.from([1, 1, 100]));

    expect([status, payload.length]).toEqual([STATUS.invalidCommand, 0]);
    expect((await client.ask(99, Buffer.from('a code that no release has'))).status).toBe(STATUS.invalidCommand);
    expect((await client.ask(CODE.ping)).status).toBe(STATUS.ok);
    expect((await client.ask(CODE.stats)).status).toBe(STATUS.unauthorized);
    expect((await client.ask(CODE.users)).status).toBe(STATUS.unauthorized);
  });

  it('keeps the snapshot, the metrics and other paths of the server from clients', async () => {
    const node = await aNode();
    const client = await IggyHttp.signIn(httpOf(node));
    const snapshots = [
      '/snapshot',
      '/snapshot?x=1',
      '//snapshot',
      '/./snapshot',
      '/%73napshot',
      '/SNAPSHOT',
      '/snapshot/',
    ];
    const body = { compression: 'Deflated', snapshot_types: ['All'] };

    for (const path of snapshots) {
      const answer = await rawRequest(httpOf(node) ?? 0, 'POST', path, client.token ?? '', body);
      expect([path, answer]).toEqual([path, expect.stringMatching(/^HTTP\/1\.1 404/)]);
    }
    for (const path of ['/metrics', '/jwks']) {
      const answer = await rawRequest(httpOf(node) ?? 0, 'GET', path, client.token ?? '');
      expect([path, answer]).toEqual([path, expect.stringMatching(/^HTTP\/1\.1 404/)]);
    }
  });

  it('shows clients nothing of the server, its users and its root account', async () => {
    const node = await aNode();
    const client = await IggyHttp.signIn(httpOf(node));

    for (const path of ['/users', '/stats', '/clients', '/users/0', '/users/landlord-root'])
      expect([`${path} 403`, `${path} 404`]).toContain(`${path} ${(await client.call('GET', path)).status}`);
    const change = { current_password: PASSWORD, new_password: 'mine now' };
    for (const id of ['0', '1', 'landlord-root'])
      expect((await client.call('PUT', `/users/${id}/password`, change)).status).toBeGreaterThanOrEqual(400);
    expect((await IggyHttp.signIn(httpOf(node))).token).not.toBe('');
  });

  it('accepts any name and password of the deployment, also with characters of URLs', async () => {
    const node = await anIggyNode();
    nodes.push(node);
    const password = `:@/%"'\\ü${'x'.repeat(60)}`;
    Object.assign(node.spec.credentials, { username: 'ä', password });
    await node.start();
    const client = await tcp(node);

    expect((await client.signIn(password, 'ä')).status).toBe(STATUS.ok);
    expect((await IggyHttp.signIn(httpOf(node), password, 'ä')).token).not.toBe('');
  });

  it('closes a client that speaks MQTT or sends lengths that no frame has', async () => {
    const node = await aNode();
    const [mqtt, short, huge] = [await tcp(node), await tcp(node), await tcp(node)];

    mqtt.write(Buffer.from('\u0010\u00ff\u00ff\u007f\u0000\u0004MQTT', 'latin1'));
    short.write(Buffer.from([3, 0, 0, 0, 1, 0, 0, 0]));
    huge.write(Buffer.from([0xff, 0xff, 0xff, 0xff, 101, 0, 0, 0]));

    await Promise.all([mqtt, short, huge].map((client) => client.closed()));
    expect((await (await tcp(node)).signIn()).status).toBe(STATUS.ok);
  });

  it('cuts clients that no rule allows any more', async () => {
    const node = await aNode();
    const client = await tcp(node);
    await client.signIn();

    await node.setRules([{ ...EVERYONE, protocols: ['http'] }]);

    await client.closed();
    expect((await IggyHttp.signIn(httpOf(node))).token).not.toBe('');
  });

  it('serves TLS on the same ports', async () => {
    const certs = await aCertificate();
    const node = await aNode({ certs });
    const socket = connectTls({ host: '127.0.0.1', port: node.spec.listen.ports.tcp ?? 0, ca: certs.ca });
    const answer = new Promise<Buffer>((resolve) => socket.once('data', resolve));

    socket.write(Buffer.from([4, 0, 0, 0, 1, 0, 0, 0]));

    expect(await answer).toEqual(Buffer.alloc(8));
    socket.destroy();
  });

  it('slows writers down to the rate of the deployment, and no one else', async () => {
    const node = await aNode({ rate: 20_000 });
    const http = await IggyHttp.signIn(httpOf(node));
    await http.createTopic('orders');
    const events: string[] = [];

    const writing = http.send('orders', ['x'.repeat(60_000)]).then(() => events.push('written'));
    for (let count = 0; count < 20; count += 1) await http.call('GET', '/streams');
    events.push('read 20 times');
    await writing;

    expect(events).toEqual(['read 20 times', 'written']);
    expect(await http.poll('orders')).toEqual(['x'.repeat(60_000)]);
  });

  it('closes connections of a server that ended, and serves its successor', async () => {
    const node = await aNode();
    const client = await tcp(node);
    await client.signIn();
    const { pid } = await node.ready();

    process.kill(pid, 'SIGKILL');
    await client.closed();
    const during = await IggyHttp.anonymous(httpOf(node)).call('GET', '/ping');
    await until('the server is gone', () => node.runtime.contact(node.home).then((contact) => contact === null));
    await node.start();

    expect(during.status).toBe(503);
    const http = await IggyHttp.signIn(httpOf(node));
    await http.createTopic('orders');
    expect(await http.send('orders', numbered(3))).toBe(201);
  });
});

/** The answer to a request with exactly this path. */
function rawRequest(port: number, method: string, path: string, token: string, body?: unknown): Promise<string> {
  const payload = body === undefined ? '' : JSON.stringify(body);
  const head = [
    `${method} ${path} HTTP/1.1`,
    'host: broker',
    'connection: close',
    `authorization: Bearer ${token}`,
    'content-type: application/json',
    `content-length: ${payload.length}`,
  ];
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
    socket.once('close', () => resolve(text)).once('error', reject);
    socket.write(`${head.join('\r\n')}\r\n\r\n${payload}`);
  });
}
