import type { Socket } from 'node:net';

/**
 * Makes the client behind a proxy the remote address of its connection. So access by HTTP, the list of clients and the limits of
 * sign-ins, which read `remoteAddress`, never see the proxy. Undefined: the address of the client is unknown.
 */
export function showClientAddress(socket: Socket, address: string | undefined): void {
  Object.defineProperty(socket, 'remoteAddress', { value: address });
}
