import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isInRanges } from '../cidr.js';
import { clientAddress, type TrustedProxies } from './client-address.js';
import type { ConnectionAdmission } from './connection-admission.js';

/**
 * Lets an HTTP server serve admitted connections only, and tells the admission what each connection does. Must be called before the
 * server listens. Requests that `answering` counts are those of `request` and `upgrade`.
 */
export function admitConnections(server: Server, admission: ConnectionAdmission, proxies: TrustedProxies): void {
  const served = server.listeners('connection') as ((socket: Socket) => void)[];
  server.removeAllListeners('connection');
  const mayWait = admission.limits.waiting > 0;
  // An option of node:net that node:http does not pass on. Nothing is read from a connection that waits.
  if (mayWait) Object.assign(server, { pauseOnConnect: true });
  const handshakes = new Map<string, Socket>();
  server.on('connection', (socket: Socket) => {
    const { remoteAddress: address = '' } = socket;
    const isProxy = proxies.length > 0 && isInRanges(address, proxies);
    const serve = (): void => {
      for (const one of served) one.call(server, socket);
      if (mayWait) socket.resume();
    };
    if (admission.admit(socket, { address, isProxy, serve }) && isTls) remember(handshakes, socket);
  });
  const isTls = 'setSecureContext' in server;
  // Node makes the socket of TLS itself and does not say from which one. Both have the same ends.
  server.on('secureConnection', (socket: Socket) => {
    const raw = handshakes.get(endsOf(socket));
    if (raw) admission.join(socket, raw);
  });
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) =>
    follow(admission, proxies, request, response),
  );
}

function follow(
  admission: ConnectionAdmission,
  proxies: TrustedProxies,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { socket } = request;
  if (admission.isOfProxy(socket)) admission.locate(socket, clientAddress(request, proxies) ?? '');
  admission.begin(socket, request);
  response.once('close', () => admission.end(socket));
}

function remember(handshakes: Map<string, Socket>, socket: Socket): void {
  const ends = endsOf(socket);
  handshakes.set(ends, socket);
  socket.once('close', () => handshakes.delete(ends));
}

const endsOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

/** RFC 9112, 3.2: a request with several `Host` headers is refused with 400. Node reads the first one. */
export function hasSeveralHosts({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}
