import { connect, createServer, type AddressInfo } from 'node:net';
import { ends, HOST } from './gate-clients.fixture.js';
import { aProxyHeader } from './proxy-headers.fixture.js';

/** Network and address of the proxies of tests, on this machine. */
export const PROXY_RANGE = '127.9.0.0/24';
const PROXY_ADDRESS = '127.9.0.7';

/**
 * A proxy in front of a port of a gate. Each connection gets the header of the client `source`, in two packets. Returns the port of
 * the proxy. `endAll` ends the proxy.
 */
export async function aProxy(port: number | null, source: string): Promise<number> {
  const header = aProxyHeader({ source, extensions: [[0xe0, Buffer.alloc(8, 7)]] });
  const server = createServer({ noDelay: true, pauseOnConnect: true }, (near) => {
    const far = connect({ port: port ?? 0, host: HOST, localAddress: PROXY_ADDRESS, noDelay: true });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const)
      one.on('error', () => other.resetAndDestroy()).once('close', () => other.destroy());
    far.write(header.subarray(0, 20));
    setTimeout(() => {
      if (far.destroyed) return;
      far.write(header.subarray(20));
      near.pipe(far).pipe(near);
    }, 5);
  });
  await new Promise<void>((done) => server.listen(0, HOST, done));
  ends.push(() => server.close());
  return (server.address() as AddressInfo).port;
}
