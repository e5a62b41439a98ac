import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { lookup } from 'node:dns/promises';

/**
 * The address from which this host reaches a server. Connecting a datagram socket asks the routing table, and sends nothing. Rejects
 * when the name of the server is unknown or no route exists.
 */
export async function sourceAddress(url: string): Promise<string> {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  const { address } = await lookup(host);
  const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      // Any port: nothing is sent.
      socket.connect(443, address, resolve);
    });
    return socket.address().address;
  } finally {
    socket.close();
  }
}
