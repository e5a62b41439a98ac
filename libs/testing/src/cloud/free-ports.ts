import { createServer } from 'node:net';

/** Below the ephemeral range: any connection of this machine may take a port of that one before somebody listens. */
const PORTS = { first: 30_000, count: 1_000 };

/** So many free ports of the loopback, distinct. */
export async function freePorts(count: number): Promise<number[]> {
  const found = new Set<number>();
  while (found.size < count) {
    const port = PORTS.first + Math.floor(Math.random() * PORTS.count);
    if (await isFree(port)) found.add(port);
  }
  return [...found];
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
