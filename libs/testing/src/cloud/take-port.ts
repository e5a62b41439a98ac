import { createServer } from 'node:net';

/** Listens at `host:port` instead of its owner. Returns a function that frees the port. */
export async function takePort(endpoint: string): Promise<() => Promise<void>> {
  const [host = '', port = ''] = endpoint.split(':');
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(Number(port), host, resolve);
  });
  return () => new Promise((resolve) => void server.close(() => resolve()));
}
