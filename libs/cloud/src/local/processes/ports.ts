import { createServer } from 'node:net';

/** Whether a TCP port could be listened on now. Rejects when the address itself is not usable. */
export function isPortFree(address: string, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(false);
      else reject(error);
    });
    server.listen({ host: address, port, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
