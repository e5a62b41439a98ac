import { createServer, type Server } from 'node:net';

/** Not a file: the kernel frees the name when its process ends, however it ends. */
const NAME = '\0landlord-cloud-world';
const LOOK_MS = 500;

/**
 * Waits until no other process of this machine has a world of a cloud. An emulator gives the instances of each world the same private addresses, and
 * this machine has one route for an address. The world is free again when the server closes.
 */
export async function onlyWorld(): Promise<Server> {
  for (;;) {
    const server = createServer();
    const isOwn = await new Promise<boolean>((resolve, reject) => {
      server.once('listening', () => resolve(true));
      server.once('error', (error: NodeJS.ErrnoException) =>
        error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
      );
      server.listen(NAME);
    });
    if (isOwn) return server;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
