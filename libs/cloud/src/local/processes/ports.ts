import { createServer } from 'node:net';

/** Whether a TCP port is free now. Rejects when the address itself is unusable. */
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
