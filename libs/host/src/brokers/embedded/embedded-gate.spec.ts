import { Agent, get } from 'node:https';
import { connect } from 'node:net';
import type { GateRule } from '@libs/domain';
import { aCertificate } from '../../../test/brokers/certificates.fixture.js';
import { gateHash } from '../../control/gate-settings.js';
import {
  aNodeSpec,
  BrokerUnderTest,
  EVERYONE,
  gateOf,
  inboxOf,
  until,
  type SpecChanges,
} from '../../../test/brokers/embedded.fixture.js';

const running: BrokerUnderTest[] = [];

async function aBroker(changes: SpecChanges = {}, offsetMs = 0): Promise<BrokerUnderTest> {
  const broker = await BrokerUnderTest.of(await aNodeSpec(changes));
  running.push(broker);
  await broker.start(offsetMs);
  return broker;
}

function aRule(changes: Partial<GateRule>): GateRule {
  return { ...EVERYONE, ...changes };
}

/** The view of a peer that sends first: the number of received bytes, and the error code. */
function knock(port: number | null): Promise<{ bytes: number; code: string | null }> {
  return new Promise((resolve) => {
    let bytes = 0;
    let code: string | null = null;
    const socket = connect(port ?? 0, '127.0.0.1', () => socket.write('GET /ping HTTP/1.1\r\nhost: a\r\n\r\n'));
    socket.on('data', (chunk) => (bytes += chunk.length));
    socket.on('error', (error: NodeJS.ErrnoException) => (code = error.code ?? null));
    socket.on('close', () => resolve({ bytes, code }));
  });
}

afterEach(async () => {
  await Promise.all(running.splice(0).map((broker) => broker.destroy()));
});

describe('the gate of the embedded broker', () => {
  it.each([
    ['without any rule', []],
    ['with a rule for other addresses', [aRule({ cidrs: ['10.0.0.0/8', '127.0.0.2/32'] })]],
    ['with a rule for other protocols', [aRule({ protocols: ['udp'] })]],
    ['with a rule that has ended', [aRule({ valid_to: '2020-01-01T00:00:00Z' })]],
    ['with ranges that cannot be read', [aRule({ cidrs: ['127.0.0.1/33', 'localhost', '', '::/0'] })]],
  ])('resets a denied peer on every port before a byte is exchanged, %s', async (_case, rules) => {
    const broker = await aBroker({ rules });
    const { tcp, http, websocket } = broker.spec.listen.ports;

    const outcomes = await Promise.all([tcp, http, websocket].map(knock));

    for (const end of outcomes) expect(end).toEqual({ bytes: 0, code: expect.stringMatching(/ECONNRESET|EPIPE/) });
    expect(await broker.runtime.stats(broker.home)).toMatchObject({ gate_denied: 3, gate_clients: 0 });
  });

  it('applies the rules of its own protocol to each port', async () => {
    const broker = await aBroker({ rules: [aRule({ protocols: ['websocket'], cidrs: ['127.0.0.1/32'] })] });

    await (await broker.client({}, 'websocket')).endAsync();
    await expect(broker.client()).rejects.toMatchObject({ code: 'ECONNRESET' });
    await expect(fetch(`${broker.url('http')}/ping`)).rejects.toThrow();
  });

  it('cuts a live client when its rule is removed, and keeps others connected', async () => {
    const others = aRule({ id: 2, cidrs: ['127.0.0.2/32'] });
    const broker = await aBroker({ rules: [aRule({ cidrs: ['127.0.0.1/32'] }), others] });
    const [cut, webCut, stays] = [
      await broker.client(),
      await broker.client({}, 'websocket'),
      await broker.clientFrom('127.0.0.2'),
    ];
    const closed = Promise.all(
      [cut, webCut].map((client) => new Promise((resolve) => client.once('close', () => resolve(null)))),
    );

    await broker.setRules([others]);
    await closed;

    await stays.publishAsync('still', 'here', { qos: 1 });
    await expect(broker.client()).rejects.toMatchObject({ code: 'ECONNRESET' });
    await Promise.all([cut.endAsync(true), webCut.endAsync(true), stays.endAsync()]);
  });

  it('ends a rule at valid_to without any request, and cuts its live clients', async () => {
    const broker = await aBroker();
    const client = await broker.client();
    const closed = new Promise<number>((resolve) => client.once('close', () => resolve(Date.now())));
    const end = Date.now() + 1_500;

    await broker.setRules([aRule({ valid_to: new Date(end).toISOString() })]);
    expect(client.connected).toBe(true);
    const closedAt = await closed;

    expect(closedAt).toBeGreaterThanOrEqual(end);
    await client.endAsync(true);
  });

  it("compares valid_to with the server's time, not with the clock of the node", async () => {
    const hour = 3_600_000;
    const inOneHour = aRule({ valid_to: new Date(Date.now() + hour).toISOString() });
    const broker = await aBroker({ rules: [inOneHour] }, 2 * hour);

    await expect(broker.client()).rejects.toMatchObject({ code: 'ECONNRESET' });

    await broker.setRules([inOneHour], -hour);
    await (await broker.client()).endAsync();
  });

  it('requires a proof on its control channel', async () => {
    const broker = await aBroker();
    const { requestJson } = await import('../../control/socket-request.js');
    const { contactInstance } = await import('../../control/instance-socket.js');
    const contact = await contactInstance(broker.home, 'broker');

    const calls = (['GET /ping', 'GET /stats', 'PUT /rules', 'POST /stop'] as const).map(async (route) => {
      const [method, path] = route.split(' ') as ['GET', string];
      return (
        await requestJson(contact?.at ?? {}, {
          ...{ method, path, timeoutMs: 2_000 },
          authorization: `Bearer ${contact?.token}`,
        })
      ).status;
    });

    expect(await Promise.all(calls)).toEqual([401, 401, 401, 401]);
    expect(await until('still running', () => broker.runtime.contact(broker.home))).toMatchObject({ ready: true });
  });
});

describe('TLS at the gate of the embedded broker', () => {
  it('obeys the access rules like plain connections: refused before a byte, and cut when its rule is removed', async () => {
    const certs = await aCertificate();
    const broker = await aBroker({ certs, rules: [aRule({ protocols: ['tcp'] })] });
    const client = await broker.tlsClient(certs.ca);
    const closed = new Promise((resolve) => client.once('close', () => resolve(null)));

    await expect(broker.tlsClient(certs.ca, 'websocket')).rejects.toMatchObject({ code: 'ECONNRESET' });
    await broker.setRules([aRule({ protocols: ['websocket'] })]);
    await closed;

    await expect(broker.tlsClient(certs.ca)).rejects.toMatchObject({ code: 'ECONNRESET' });
    await (await broker.tlsClient(certs.ca, 'websocket')).endAsync();
    await client.endAsync(true);
  });

  it('carries messages between clients with and without TLS, including large ones', async () => {
    const certs = await aCertificate();
    const broker = await aBroker({ certs });
    const [secure, web, plain] = [
      await broker.tlsClient(certs.ca),
      await broker.tlsClient(certs.ca, 'websocket'),
      await broker.client(),
    ];
    const inboxes = [secure, web, plain].map((client) => inboxOf(client));
    for (const client of [secure, web, plain]) await client.subscribeAsync('all', { qos: 1 });
    const large = 'x'.repeat(500_000);

    for (const client of [secure, web, plain]) await client.publishAsync('all', large, { qos: 1 });

    await until('everybody has all', () => inboxes.every((inbox) => inbox.length === 3));
    expect(inboxes.flat().every(({ text }) => text === large)).toBe(true);
    await Promise.all([secure, web, plain].map((client) => client.endAsync()));
  });

  it('answers several HTTP requests on one connection', async () => {
    const certs = await aCertificate();
    const broker = await aBroker({ certs });
    const agent = new Agent({ ca: certs.ca, keepAlive: true, maxSockets: 1 });
    const url = broker.url('http').replace('http:', 'https:');
    const ask = (path: string): Promise<number> =>
      new Promise((resolve, reject) =>
        get(`${url}${path}`, { agent }, (answer) =>
          answer.resume().once('end', () => resolve(answer.statusCode ?? 0)),
        ).once('error', reject),
      );

    expect([await ask('/ping'), await ask('/stats'), await ask('/other')]).toEqual([200, 401, 404]);
    agent.destroy();
  });

  it('uses a new certificate while it runs, cuts no connection, and reports the certificate to the agent', async () => {
    const [first, second] = [await aCertificate(), await aCertificate()];
    const broker = await aBroker();
    const { pid, gateHash: without } = await broker.ready();

    await broker.setCertificate(first);
    const client = await broker.tlsClient(first.ca);
    await broker.setCertificate(second);

    await client.publishAsync('still', 'here', { qos: 1 });
    await (await broker.tlsClient(second.ca)).endAsync();
    await expect(broker.tlsClient(first.ca)).rejects.toThrow();
    const desired = gateOf({ ...broker.spec, certs: second });
    expect(await broker.ready()).toMatchObject({ pid, gateHash: gateHash(desired) });
    expect(gateHash(desired)).not.toBe(without);
    await client.endAsync(true);
  });
});

describe('garbage', () => {
  it('on any port closes only its own connection', async () => {
    const broker = await aBroker({ certs: await aCertificate() });
    const { pid } = await broker.ready();
    const client = await broker.client();
    const { ports, peer } = broker.spec.listen;
    const noise = [
      Buffer.from('GET / HTTP/1.1\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n'),
      Buffer.from('\u0000\u0001\u0002'),
      Buffer.from([0x10, 0xff, 0xff, 0xff, 0xff, 0xff]),
      Buffer.from([0x30, 0x02, 0x00, 0x00]),
      Buffer.from([0x10, 0x0c, 0x00, 0x04, 0x4d, 0x51, 0x54, 0x54, 0x05, 0x02, 0x00, 0x3c, 0x00, 0x00]),
      Buffer.alloc(100_000, 0xf3),
      Buffer.concat([Buffer.from([0x16]), Buffer.alloc(100_000, 0xf3)]),
    ];

    for (const port of [ports.tcp, ports.http, ports.websocket, peer]) {
      for (const bytes of noise) {
        const socket = connect(port ?? 0, '127.0.0.1').resume();
        await new Promise((resolve) =>
          socket
            .on('error', () => undefined)
            .once('close', resolve)
            .end(bytes),
        );
      }
    }

    await client.publishAsync('still', 'here', { qos: 1 });
    expect((await broker.ready()).pid).toBe(pid);
    await client.endAsync();
  });
});
