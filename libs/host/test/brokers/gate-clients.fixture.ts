import { connect, type Socket } from 'node:net';
import type { GateRule } from '@libs/domain';
import { freePorts } from '@libs/testing';
import { until } from './embedded.fixture.js';

export const HOST = '127.0.0.1';
export const EVERYBODY: GateRule = {
  id: 1,
  cidrs: ['127.0.0.0/8'],
  protocols: ['tcp', 'http', 'websocket'],
  valid_to: null,
};
export const PING: Buffer = Buffer.from([0xc0, 0x00]);
/** A PUBLISH packet of QoS 0. */
export const aMessage = (topic: string, payload = 'x'): Buffer =>
  Buffer.concat([
    Buffer.from([0x30, 2 + topic.length + payload.length, 0, topic.length]),
    Buffer.from(topic + payload),
  ]);
/** What a test must end, newest first. */
export const ends: (() => unknown)[] = [];

export async function endAll(): Promise<void> {
  for (const end of ends.splice(0).reverse()) await end();
}

/** A port that nobody listens on. */
export const freePort = async (): Promise<number> => (await freePorts(1))[0] ?? 0;

/** A client of the gate, with all bytes that it received. */
export interface Client {
  socket: Socket;
  received: () => Buffer;
  isClosed: () => boolean;
}

export function watched(socket: Socket): Client {
  const chunks: Buffer[] = [];
  let isClosed = false;
  socket.on('error', () => undefined).once('close', () => (isClosed = true));
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  ends.push(() => socket.destroy());
  return { socket, received: () => Buffer.concat(chunks), isClosed: () => isClosed };
}

export function aClient(port: number | null, first: Buffer = PING): Client {
  const socket = connect({ port: port ?? 0, host: HOST, noDelay: true });
  socket.write(first);
  return watched(socket);
}

export const receives = (client: Client, bytes: Buffer): Promise<unknown> =>
  until('the client has the bytes', async () => client.received().equals(bytes));
export const closes = (client: Client): Promise<unknown> =>
  until('the client is closed', async () => client.isClosed());
