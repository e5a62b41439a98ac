import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { dialGuarded, GuardedSocket } from './guarded-socket.js';
import { DestinationRefused } from './outbound-error.js';

const TIMEOUT_MS = 2_000;
let server: Server;
let port = 0;
let accepted = 0;

beforeAll(async () => {
  server = createServer((socket) => {
    accepted += 1;
    socket.end('hello');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => server.close());
beforeEach(() => void (accepted = 0));

const resolve = async (): Promise<string[]> => ['127.0.0.1'];

describe('a guarded socket', () => {
  it('connects to a private address where private addresses are allowed', async () => {
    const socket = await dialGuarded(
      { host: 'service.example.com', port },
      { allowPrivate: true, resolve },
      TIMEOUT_MS,
    );
    const [text] = (await once(socket, 'data')) as [Buffer];
    expect(text.toString()).toBe('hello');
    socket.destroy();
  });

  it.each(['127.0.0.1', 'service.example.com', '::ffff:127.0.0.1', '169.254.169.254'])(
    'refuses %s where private addresses are not allowed',
    async (host) => {
      const policy = { allowPrivate: false, resolve };
      await expect(dialGuarded({ host, port }, policy, TIMEOUT_MS)).rejects.toThrow(DestinationRefused);
      expect(accepted).toBe(0);
    },
  );

  it('refuses the metadata address of clouds everywhere', async () => {
    const policy = { allowPrivate: true };
    await expect(dialGuarded({ host: '169.254.169.254', port }, policy, TIMEOUT_MS)).rejects.toThrow(
      DestinationRefused,
    );
  });

  it.each([['/var/run/.s.PGSQL.5432'], [{ path: '/tmp/socket' }], [5432], [5432, '/var/run'], [0, '127.0.0.1']])(
    'refuses what is no host with a port: %j',
    async (...target) => {
      const socket = new GuardedSocket({ allowPrivate: true });
      socket.connect(...target);
      const [error] = (await once(socket, 'error')) as [Error];
      expect(error).toBeInstanceOf(DestinationRefused);
    },
  );

  it('checks every address that a name has', async () => {
    const policy = { allowPrivate: false, resolve: async () => ['93.184.216.34', '127.0.0.1'] };
    await expect(dialGuarded({ host: 'two.example.com', port }, policy, TIMEOUT_MS)).rejects.toThrow(
      DestinationRefused,
    );
  });
});
