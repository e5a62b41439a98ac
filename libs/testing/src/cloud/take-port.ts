import { createServer } from 'node:net';

/** Listens at `host:port` in place of whoever owns it; answers how to give it back. */
export async function takePort(endpoint: string): Promise<() => Promise<void>> {
  const [host = '', port = ''] = endpoint.split(':');
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(Number(port), host, resolve);
  });
  return () => new Promise((resolve) => void server.close(() => resolve()));
}
