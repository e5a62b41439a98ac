import { createServer } from 'node:net';

/**
 * Below the ephemeral range: any connection of this machine may take a port of that one before somebody listens. Each
 * worker of jest has its own: what one stops for a moment and starts again on its port would be taken by another.
 */
const WORKERS = 4;
const COUNT = 600;
const FIRST = 30_000 + (Number(process.env['JEST_WORKER_ID'] ?? 0) % WORKERS) * COUNT;

/** So many free ports of the loopback, distinct. */
export async function freePorts(count: number): Promise<number[]> {
  const found = new Set<number>();
  while (found.size < count) {
    const port = FIRST + Math.floor(Math.random() * COUNT);
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
