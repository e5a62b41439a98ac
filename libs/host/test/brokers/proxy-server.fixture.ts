import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { ends, HOST } from './gate-clients.fixture.js';
import { aProxyHeader } from './proxy-headers.fixture.js';

/** Network and address of the proxies of tests, on this machine. */
export const PROXY_RANGE = '127.9.0.0/24';
export const PROXY_ADDRESS = '127.9.0.7';

/** A header as Private Service Connect sends it: with the id of the connection. */
const pscHeader = (source: string): Buffer => aProxyHeader({ source, extensions: [[0xe0, Buffer.alloc(8, 7)]] });

/** In two packets. */
const halves = (header: Buffer): Buffer[] => [header.subarray(0, 20), header.subarray(20)];

/**
 * A proxy in front of a port of a gate. Each connection gets the header of the client `source`, or these packets. Returns the port of
 * the proxy. `endAll` ends the proxy.
 */
export async function aProxy(port: number | null, source: string | Buffer[]): Promise<number> {
  const packets = typeof source === 'string' ? halves(pscHeader(source)) : source;
  const server = createServer({ noDelay: true, pauseOnConnect: true }, (near) => {
    const far = connect({ port: port ?? 0, host: HOST, localAddress: PROXY_ADDRESS, noDelay: true });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const)
      one.on('error', () => other.resetAndDestroy()).once('close', () => other.destroy());
    void sendApart(far, packets).then(() => near.pipe(far).pipe(near));
  });
  await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
  ends.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

/** Sends each part as a packet of its own. Stops when the connection is closed. */
export async function sendApart(socket: Socket, packets: readonly Buffer[]): Promise<void> {
  for (const packet of packets) {
    if (socket.destroyed) return;
    await new Promise((resolve) => socket.write(packet, resolve));
    await delay(2);
  }
}
