import { createServer, type AddressInfo, type Server } from 'node:net';
import { eventually } from '@libs/testing';
import { guardedBackend, queueConnection } from './bullmq-backend.js';

/** A message of the protocol of PostgreSQL. */
function message(type: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
}

/** Accepts the connection, and ends it as PostgreSQL does when its main process has ended. */
const WELCOME_AND_END = Buffer.concat([
  message('R', Buffer.alloc(4)),
  message('Z', Buffer.from('I')),
  message('E', Buffer.from('SFATAL\0C57P01\0Mterminating connection due to unexpected postmaster exit\0\0')),
]);

describe('The connections of the queue in PostgreSQL', () => {
  let server: Server;
  let accepted = 0;
  const uncaught: unknown[] = [];
  const note = (error: unknown): void => void uncaught.push(error);

  beforeAll(async () => {
    process.on('uncaughtException', note);
    server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => {
        accepted += 1;
        socket.end(WELCOME_AND_END);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    await new Promise((resolve) => server.close(resolve));
    process.off('uncaughtException', note);
  });

  const aBackend = () => {
    const { port } = server.address() as AddressInfo;
    const connection = queueConnection({ url: `postgres://someone@127.0.0.1:${port}/landlord` });
    const backend = guardedBackend('ended', { connection }, { blocking: true });
    backend.on('error', () => undefined);
    return backend as unknown as {
      connection: { pool: { connect(): Promise<unknown> }; getListenClient(): Promise<unknown> };
    };
  };

  it.each([
    ['for LISTEN', ({ connection }: ReturnType<typeof aBackend>) => connection.getListenClient()],
    ['of the pool', ({ connection }: ReturnType<typeof aBackend>) => connection.pool.connect()],
  ])('%s do not end the process when PostgreSQL ends them in the packet that accepts them', async (_, connect) => {
    const before = accepted;

    await connect(aBackend()).catch(() => undefined);

    await eventually('the server has ended the connection', () => accepted > before);
    await new Promise((resolve) => setImmediate(resolve));
    expect(uncaught).toEqual([]);
  });
});
