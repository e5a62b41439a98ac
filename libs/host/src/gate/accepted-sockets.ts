import type { ConnectionAdmission } from '@libs/domain/admission';
import { createServer, type RequestListener, type Server } from 'node:http';

/** Time limit for the request of a client. */
export const HTTP_PATIENCE_MS = 10_000;
/** How often the server looks for requests above the limit. */
const CHECK_MS = 2_000;

/**
 * An HTTP server for sockets that the gate has accepted. It never listens, and Node.js starts to check the time limits of
 * requests only with the event `listening`. Without the event, a client could send its request for hours. `admission`: learns what
 * each connection does.
 */
export function serverOfAcceptedSockets(
  onRequest: RequestListener,
  admission: ConnectionAdmission | null = null,
): Server {
  const limits = { headersTimeout: HTTP_PATIENCE_MS, requestTimeout: HTTP_PATIENCE_MS, keepAliveTimeout: 30_000 };
  const server = createServer({ ...limits, connectionsCheckingInterval: CHECK_MS }, onRequest);
  if (admission) server.prependListener('request', followed(admission));
  server.emit('listening');
  return server;
}

const followed =
  (admission: ConnectionAdmission): RequestListener =>
  (request, response) => {
    const { socket } = request;
    admission.begin(socket, request);
    response.once('close', () => admission.end(socket));
  };
