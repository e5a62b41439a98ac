import { limitsOfGate } from '@libs/domain/admission';
import { createServer } from 'node:net';
import { PassThrough } from 'node:stream';
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
} from '../../test/brokers/gate-clients.fixture.js';
import { BrokerError } from '../control/broker-error.js';
import { Gate } from './gate.js';
import { listenOn } from './listen-on.js';
import { MqttConnection } from './mqtt/mqtt-connection.js';
import { Traffic } from './traffic.js';
import { visitorOf } from './visitor.js';

afterEach(endAll);

describe('The stream of a client', () => {
  it('pauses a client that sends faster than the broker reads, and continues later', async () => {
    const transport = new PassThrough();
    const client = new MqttConnection(transport, 1_000, new Traffic());
    const packets = Buffer.concat(Array.from({ length: 2_000 }, () => aMessage('a', 'x'.repeat(50))));
    for (let at = 0; at < packets.length; at += 1_000) transport.write(packets.subarray(at, at + 1_000));
    await until('the client waits', () => transport.isPaused());
    const chunks: Buffer[] = [];

    client.on('data', (chunk: Buffer) => chunks.push(chunk));

    await until('all bytes', () => Buffer.concat(chunks).equals(packets));
    expect(transport.isPaused()).toBe(false);
  });

  it('does not pause a client whose bytes fit into the buffer, and closes with its transport', async () => {
    const transport = new PassThrough();
    const client = new MqttConnection(transport, 1_000, new Traffic());
    transport.write(PING);
    await until('the first bytes', () => client.readableLength === PING.length);
    expect(transport.isPaused()).toBe(false);

    transport.destroy();

    await until('the client is closed', () => client.closed);
  });

  it('ends and fails with its transport', async () => {
    const [ended, failed] = [new PassThrough(), new PassThrough()];
    const [one, other] = [ended, failed].map((transport) => new MqttConnection(transport, 1_000, new Traffic()));
    const errors: Error[] = [];
    let isEnded = false;
    one?.resume().once('end', () => (isEnded = true));
    other?.once('error', (error) => errors.push(error));

    ended.end();
    failed.destroy(new BrokerError('reset'));

    await until('the end', () => isEnded);
    await until('the error', () => errors.length === 1);
    expect(errors[0]?.message).toBe('reset');
    expect(other?.destroyed).toBe(true);
  });
});

describe('A gate', () => {
  /** A gate that echoes, for at most `most` clients. */
  async function anEcho(most: number): Promise<{ gate: Gate; port: number }> {
    const gate = new Gate({ ...limitsOfGate(0, 60_000), places: most, unknown: most, reserve: 0, ofNetwork: most });
    const port = await freePort();
    ends.push(
      () => gate.close(),
      () => gate.cutAll(),
    );
    await gate.open('tcp', { address: HOST, port, patienceMs: 5_000 }, (socket) => {
      visitorOf(gate.admission, socket).signedIn();
      socket.pipe(socket);
    });
    return { gate, port };
  }

  it('has no clients without rules, and counts the denied', async () => {
    const { gate, port } = await anEcho(2);
    await closes(aClient(port));

    expect([gate.clients, gate.denied]).toEqual([0, 1]);
  });

  it('has at most its number of clients', async () => {
    const { gate, port } = await anEcho(2);
    gate.setRules([EVERYBODY], 0);
    const clients = [aClient(port), aClient(port)];
    await Promise.all(clients.map((client) => receives(client, PING)));
    await closes(aClient(port));

    expect([gate.clients, gate.denied]).toEqual([2, 1]);
    clients[0]?.socket.destroy();
    await until('a slot is free', async () => gate.clients === 1);
    await receives(aClient(port), PING);
  });

  it('cuts a client when its rule ends, by the clock of the server', async () => {
    const { gate, port } = await anEcho(5);
    const lasting = { ...EVERYBODY, id: 2, valid_to: new Date(Date.now() + 3_600_600).toISOString() };
    gate.setRules([lasting], 3_600_000);
    const client = aClient(port);
    await receives(client, PING);

    await closes(client);

    expect(gate.clients).toBe(0);
    await closes(aClient(port));
  });

  it('stops listening when it closes, and keeps its clients until they are cut', async () => {
    const { gate, port } = await anEcho(5);
    gate.setRules([EVERYBODY], 0);
    const client = aClient(port);
    await receives(client, PING);

    gate.close();
    await closes(aClient(port));
    client.socket.write(PING);
    await receives(client, Buffer.concat([PING, PING]));
    gate.cutAll();
    await closes(client);
  });

  it.each([
    ['192.0.2.1', 'address 192.0.2.1 is not on this machine'],
    ['not an address', 'cannot be opened: '],
  ])('reports that it cannot listen on %s', async (address, reason) => {
    await expect(listenOn(createServer(), address, 1)).rejects.toThrow(reason);
    await expect(listenOn(createServer(), address, 1)).rejects.toBeInstanceOf(BrokerError);
  });
});
