import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { listenProblem } from '@libs/domain/starts';

/** Below the ephemeral range, so that no outgoing connection takes the port while the database is down. */
const FIRST_PORT = 15_432;
const PORTS = 4_000;

/** A free port of the system's choice. */
async function anyPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await once(server.close(), 'close');
  return port;
}

/** Whether the port has no listener on this address, or on all addresses. It can be taken a moment later. */
export async function isPortFree(port: number, host?: string): Promise<boolean> {
  const code = await listenProblem(port, host);
  // A missing IPv6, or an address of another machine, does not mean that the port is taken.
  return code !== 'EADDRINUSE' && code !== 'EACCES';
}

/** The preferred port if it is free on 127.0.0.1, otherwise any free port of the range, otherwise any free port. */
export async function findFreePort(preferred: number | null): Promise<number> {
  if (preferred !== null && (await isPortFree(preferred, '127.0.0.1'))) return preferred;
  const start = Math.floor(Math.random() * PORTS);
  for (let step = 0; step < PORTS; step += 1) {
    const port = FIRST_PORT + ((start + step) % PORTS);
    if (await isPortFree(port, '127.0.0.1')) return port;
  }
  return anyPort();
}
