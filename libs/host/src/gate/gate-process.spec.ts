import { limitsOfGate } from '@libs/domain/admission';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { NodeListen } from '@libs/domain';
import { WebSocket } from 'ws';
import { aCertificate } from '../../test/brokers/certificates.fixture.js';
import { until } from '../../test/brokers/embedded.fixture.js';
import {
  aClient,
  aMessage,
  closes,
  endAll,
  ends,
  EVERYBODY,
  freePort,
  HOST,
  PING,
  receives,
  watched,
} from '../../test/brokers/gate-clients.fixture.js';
import { askInstance } from '../control/ask-instance.js';
import { JsonLog } from '../os/json-log.js';
import { BrokerError } from '../control/broker-error.js';
import type { MqttGateConfig } from './gate-config.js';
import { gateHash, gateSettings } from '../control/gate-settings.js';
import { ClientNotices } from './clients/client-notices.js';
import { GateProcess } from './gate-process.js';
import { MqttListeners } from './mqtt/mqtt-listeners.js';
import type { Address, GateUpstream } from './gate-upstream.js';
import { listenOn } from './listen-on.js';

const LOGIN = { username: 'user', password: 'word', previous: null };
const CREDENTIALS = `Basic ${Buffer.from('user:word').toString('base64')}`;

afterEach(endAll);

/** A broker that records its clients and echoes every byte. */
class EchoBroker implements GateUpstream {
  readonly clients: Socket[] = [];
  readonly server: Server = createServer({ allowHalfOpen: true }, (socket) => {
    this.clients.push(socket);
    socket.on('error', () => undefined).pipe(socket);
  });
  address: Address | null = null;
  found = 0;
  slowMs = 0;
  gauges: Record<string, number> = { memory_bytes: 1e12, cpu_seconds: 1e6, clients: 3 };

  async find(): Promise<Address | null> {
    this.found += 1;
    await delay(this.slowMs);
    return this.address;
  }

  async report() {
    return { pid: 1, startedAt: 's', version: 'v', configHash: 'c', ready: true, reason: null };
  }

  async stats(): Promise<Record<string, number>> {
    if (this.gauges['fails']) throw new BrokerError('no answer');
    return this.gauges;
  }
}

async function aBroker(): Promise<EchoBroker> {
  const broker = new EchoBroker();
  await listenOn(broker.server, HOST, 0);
  broker.address = { host: HOST, port: portOf(broker.server) };
  ends.push(
    () => broker.server.close(),
    () => broker.clients.forEach((client) => client.destroy()),
  );
  return broker;
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

interface Running {
  gate: GateProcess;
  broker: EchoBroker;
  ports: NodeListen['ports'];
  config: MqttGateConfig;
}

async function aGate(
  changes: Partial<MqttGateConfig> = {},
  without: (keyof NodeListen['ports'])[] = [],
): Promise<Running> {
  const broker = await aBroker();
  const dir = mkdtempSync(join(tmpdir(), 'landlord-gate-'));
  const all = { tcp: await freePort(), http: await freePort(), websocket: await freePort(), udp: null };
  const ports = { ...all, ...Object.fromEntries(without.map((name) => [name, null])) };
  const config: MqttGateConfig = {
    ...{ installation: dir.slice(-6), node_id: 3, dir, config_hash: 'hash', max_connections: 10 },
    ...{ max_packet_bytes: 100, connect_timeout: 1, hidden_topics: '$MQTT/' },
    listen: { address: HOST, ports, peer: null },
    gate: { rules: [EVERYBODY], server_offset_ms: 0, credentials: LOGIN },
    ...changes,
  };
  const gate = aGateProcess(config, broker);
  ends.push(() => rmSync(dir, { recursive: true, force: true }));
  await gate.start();
  ends.push(() => stopped(gate));
  return { gate, broker, ports, config };
}

const aGateProcess = (config: MqttGateConfig, broker: EchoBroker): GateProcess =>
  new GateProcess(
    config,
    broker,
    new MqttListeners(config, broker, new ClientNotices(new JsonLog({}))),
    new JsonLog({}),
  );

/** Stops the gate. Returns the exit codes that the process would have ended with. */
async function stopped(gate: GateProcess): Promise<unknown[]> {
  const exit = process.exit.bind(process);
  const codes: unknown[] = [];
  // The process of the tests must go on, so the exit is recorded.
  process.exit = ((code: unknown) => codes.push(code)) as never;
  try {
    gate.stop();
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    process.exit = exit;
  }
  (Reflect.get(gate, 'control') as { close(): void }).close();
  return codes;
}

async function http(port: number | null, path: string, headers: Record<string, string> = {}, method = 'GET') {
  const response = await fetch(`http://${HOST}:${port}${path}`, {
    method,
    headers: { ...headers, connection: 'close' },
  });
  return { status: response.status, text: await response.text(), headers: Object.fromEntries(response.headers) };
}

describe('A gate process', () => {
  it('forwards the bytes of a client and of the broker, and counts them', async () => {
    const { gate, ports } = await aGate();
    const client = aClient(ports.tcp);
    await receives(client, PING);
    client.socket.write(aMessage('a'));
    client.socket.write(aMessage('b'));

    await receives(client, Buffer.concat([PING, aMessage('a'), aMessage('b')]));

    expect(await gate.stats()).toMatchObject({
      ...{ messages_received: 2, messages_sent: 2, bytes_received: 14, bytes_sent: 14 },
      ...{ gate_clients: 1, gate_denied: 0, clients: 3 },
    });
  });

  it('adds its own memory and processor time to those of the broker', async () => {
    const { gate, broker } = await aGate();
    const spent = process.cpuUsage();
    const { memory_bytes = 0, cpu_seconds = 0 } = await gate.stats();

    expect(memory_bytes - 1e12).toBeGreaterThan(1e6);
    expect(memory_bytes - 1e12).toBeLessThan(1e11);
    expect(cpu_seconds - 1e6).toBeGreaterThanOrEqual((spent.user + spent.system) / 1e6 - 0.001);
    expect(cpu_seconds - 1e6).toBeLessThan((spent.user + spent.system) / 1e6 + 10);
    broker.gauges = {};
    const alone = await gate.stats();
    expect(alone['memory_bytes']! % 1024).toBe(0);
    expect(alone['cpu_seconds']).toBeLessThan((spent.user + spent.system) / 1e6 + 10);
    expect(Math.abs(alone['cpu_seconds']! - (cpu_seconds - 1e6))).toBeLessThan(0.9);
  });

  it('forwards clients of WebSocket with a protocol of MQTT', async () => {
    const { ports } = await aGate();
    const client = new WebSocket(`ws://${HOST}:${ports.websocket}/any`, ['chat', 'mqtt']);
    ends.push(() => client.terminate());
    const received: Buffer[] = [];
    client.on('message', (data: Buffer) => received.push(data));
    await new Promise((resolve) => client.once('open', resolve));
    client.send(PING);

    await until('the echo', async () => Buffer.concat(received).equals(PING));

    expect(client.protocol).toBe('mqtt');
    expect(client.extensions).toBe('');
    expect(await http(ports.websocket, '/')).toMatchObject({ status: 426, text: '' });
  });

  it('hides internal topics from clients, and closes a client with a packet that is too large', async () => {
    const { ports, broker } = await aGate();
    const client = aClient(ports.tcp);
    await receives(client, PING);
    client.socket.write(Buffer.concat([aMessage('$MQTT/a'), aMessage('a')]));
    await receives(client, Buffer.concat([PING, aMessage('a')]));

    client.socket.write(aMessage('a', 'x'.repeat(100)));

    await closes(client);
    await until('the broker lost the client', async () => broker.clients[0]?.closed === true);
  });

  it('passes all topics when none is hidden', async () => {
    const { ports } = await aGate({ hidden_topics: null });

    await receives(aClient(ports.tcp, aMessage('$MQTT/a')), aMessage('$MQTT/a'));
  });

  it('closes the client with the broker, after the last bytes, and the broker with the client', async () => {
    const { ports, broker } = await aGate();
    const [first, second] = [aClient(ports.tcp), aClient(ports.tcp)];
    await Promise.all([receives(first, PING), receives(second, PING)]);
    await until('both are connected', async () => broker.clients.length === 2);
    for (const client of broker.clients) client.end(aMessage('last'));

    await Promise.all([closes(first), closes(second)]);

    expect(first.received()).toEqual(Buffer.concat([PING, aMessage('last')]));
    const third = aClient(ports.tcp);
    await receives(third, PING);
    third.socket.destroy();
    await until('the broker lost the client', async () => broker.clients[2]?.closed === true);
  });

  it('cuts the client when the connection to the broker breaks', async () => {
    const { ports, broker } = await aGate();
    const client = aClient(ports.tcp);
    await receives(client, PING);

    broker.clients[0]?.resetAndDestroy();

    await closes(client);
  });

  it('closes clients while no broker runs, and finds the broker again after it', async () => {
    const { ports, broker } = await aGate();
    const { address } = broker;
    broker.address = null;
    await closes(aClient(ports.tcp));
    broker.address = { host: HOST, port: await freePort() };
    await closes(aClient(ports.tcp));

    broker.address = address;

    await receives(aClient(ports.tcp), PING);
  });

  it('looks for the broker once while a connection is open, and again after the last one', async () => {
    const { ports, broker } = await aGate();
    const clients = [];
    for (let n = 0; n < 3; n += 1) {
      const client = aClient(ports.tcp);
      await receives(client, PING);
      clients.push(client);
    }
    expect(broker.found).toBe(1);

    for (const { socket } of clients) socket.destroy();
    await until('all are gone', async () => broker.clients.every((client) => client.closed));
    await until('the address is read again', async () => {
      const client = aClient(ports.tcp);
      await receives(client, PING);
      client.socket.destroy();
      return broker.found > 1;
    });
  });

  it('has at most the configured number of clients, also after failures and departures', async () => {
    const { ports, broker } = await aGate({ max_connections: 2 });
    const { address } = broker;
    broker.address = null;
    for (let n = 0; n < 3; n += 1) await closes(aClient(ports.tcp));
    broker.address = address;

    for (let round = 0; round < 3; round += 1) {
      const [first, second] = [aClient(ports.tcp), aClient(ports.tcp)];
      await Promise.all([receives(first, PING), receives(second, PING)]);
      await closes(aClient(ports.tcp));
      expect([first.isClosed(), second.isClosed()]).toEqual([false, false]);
      for (const { socket } of [first, second]) socket.destroy();
      await until('both are gone', async () => broker.clients.every((client) => client.closed));
    }
  });

  it('answers a ping, and figures only with the credentials', async () => {
    const { ports, broker } = await aGate();

    expect(await http(ports.http, '/ping?now')).toMatchObject({
      ...{ status: 200, text: 'pong' },
      headers: { 'content-type': 'text/plain', 'cache-control': 'no-store' },
    });
    expect(await http(ports.http, '/ping', {}, 'POST')).toMatchObject({
      status: 404,
      text: '{"code":"route_not_found"}',
    });
    expect(await http(ports.http, '/stats')).toMatchObject({
      ...{ status: 401, text: '{"code":"unauthenticated"}' },
      headers: { 'www-authenticate': 'Basic realm="broker"' },
    });
    expect((await http(ports.http, '/stats', { authorization: `${CREDENTIALS}=` })).status).toBe(401);
    const stats = await http(ports.http, '/stats', { authorization: CREDENTIALS });
    expect([stats.status, JSON.parse(stats.text).clients]).toEqual([200, 3]);
    broker.gauges = { fails: 1 };
    expect(await http(ports.http, '/stats', { authorization: CREDENTIALS })).toMatchObject({
      ...{ status: 503, text: '{"code":"broker_unavailable"}' },
    });
  });

  it('reports its state on the control channel, and applies new rules at once', async () => {
    const { config, ports } = await aGate();
    const place = { dir: config.dir, installation: config.installation, nodeId: config.node_id };
    const client = aClient(ports.tcp);
    await receives(client, PING);
    const ask = async (method: string, path: string, body?: unknown) =>
      (await askInstance(place, 'gate', { method, path, ...(body !== undefined && { body }) } as never))?.body;
    const report = { node: 3, pid: process.pid, config_hash: 'hash', listening: true, broker: { version: 'v' } };

    expect(await ask('GET', '/ping')).toMatchObject({
      ...report,
      ...{ gate_hash: gateHash({ rules: [EVERYBODY], credentials: LOGIN }), server_offset_ms: 0 },
    });
    expect(await ask('PUT', '/rules', { rules: [], server_offset_ms: 7, credentials: LOGIN })).toMatchObject({
      ...report,
      ...{ gate_hash: gateHash({ rules: [], credentials: LOGIN }), server_offset_ms: 7 },
    });
    await closes(client);
  });

  it('keeps a connection beyond the time limit of connecting to the broker', async () => {
    const { ports } = await aGate();
    // The broker of this test sends back what it gets, so the client gets its sign-in accepted.
    const accepted = Buffer.from([0x20, 2, 0, 0]);
    const client = aClient(ports.tcp, accepted);
    await receives(client, accepted);
    await delay(3_200);

    client.socket.write(PING);

    await receives(client, Buffer.concat([accepted, PING]));
  });

  it('leaves the broker when the client has gone before the connection was open', async () => {
    const { ports, broker } = await aGate();
    broker.slowMs = 200;
    const client = aClient(ports.tcp);
    await until('the gate looks for the broker', async () => broker.found === 1);

    client.socket.destroy();

    await until('the broker lost the client', async () => broker.clients[0]?.closed === true);
  });

  it('has places for connections before sign-in apart from those of clients, with a share for each network', async () => {
    const { gate, ports } = await aGate({ max_connections: 1, connect_timeout: 30 });
    const { ofNetwork } = limitsOfGate(1, 30_000);
    for (let n = 0; n <= ofNetwork; n += 1) aClient(ports.tcp, Buffer.alloc(0));

    await until('a silent connection gave way', async () => (await gate.stats())['gate_cut'] === 1);

    expect((await gate.stats())['gate_clients']).toBe(ofNetwork);
  });

  it('opens only the ports of its protocols', async () => {
    const { ports } = await aGate({}, ['http', 'websocket']);
    await receives(aClient(ports.tcp), PING);
    const other = await aGate({}, ['tcp']);

    expect((await http(other.ports.http, '/ping')).text).toBe('pong');
    expect((await http(other.ports.websocket, '/')).status).toBe(426);
  });

  it('closes a client that stays silent for the configured time', async () => {
    const { ports } = await aGate();
    const silent = aClient(ports.tcp, Buffer.alloc(0));
    const start = performance.now();

    await closes(silent);

    expect(performance.now() - start).toBeGreaterThan(900);
    expect(performance.now() - start).toBeLessThan(10_000);
  });

  it('is the only gate of its node, and another gate cannot take its port', async () => {
    const { config, broker } = await aGate();
    const second = aGateProcess(config, broker);
    await expect(second.start()).rejects.toThrow();

    const dir = mkdtempSync(join(tmpdir(), 'landlord-gate-'));
    ends.push(() => rmSync(dir, { recursive: true, force: true }));
    const elsewhere = aGateProcess({ ...config, dir }, broker);
    await expect(elsewhere.start()).rejects.toThrow(/^port \d+ is already in use$/);
    expect(await elsewhere.ping()).toMatchObject({ listening: false });
    (Reflect.get(elsewhere, 'control') as { close(): void }).close();
  });

  it('cuts all clients and ends when it stops', async () => {
    const { gate, ports } = await aGate();
    const client = aClient(ports.tcp);
    await receives(client, PING);
    ends.pop();
    ends.pop();

    expect(await stopped(gate)).toEqual([0]);

    await closes(client);
    await closes(aClient(ports.tcp));
  });

  it('serves TLS with the certificate of its order, and serves a client of the node itself', async () => {
    const { gate, ports } = await aGate();
    const certs = await aCertificate();
    const order = gateSettings({ rules: [EVERYBODY], serverOffsetMs: 0, certs, credentials: LOGIN });
    await gate.setGate(order);

    const socket = connectTls({ port: ports.tcp ?? 0, host: HOST, ca: certs.ca });
    socket.write(PING);
    await receives(watched(socket), PING);

    expect(gateHash(order)).not.toBe(gateHash({ rules: [EVERYBODY], credentials: LOGIN }));
    expect(gateHash({ ...order, certs: { ...certs, private_key: 'other' } })).toBe(gateHash(order));
    const inlet = createServer((one) => gate.enter(one));
    await listenOn(inlet, HOST, 0);
    ends.push(() => inlet.close());
    await receives(aClient(portOf(inlet)), PING);
  });
});
