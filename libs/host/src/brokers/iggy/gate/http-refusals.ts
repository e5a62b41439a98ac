import type { IncomingMessage, ServerResponse } from 'node:http';
import { send } from '../../../gate/http-answers.js';

/** Time limit for the server. */
export const ANSWER_TIMEOUT_MS = 30_000;
/** Largest body of a sign-in, in bytes. */
const LOGIN_LIMIT_BYTES = 16 * 1024;

/** Null when the body is no JSON object: the answer is sent. */
export async function readJson(
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<Record<string, unknown> | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LOGIN_LIMIT_BYTES) {
      refuse(incoming, response, 413, 'body_too_large', `The body is larger than ${LOGIN_LIMIT_BYTES} bytes.`);
      return null;
    }
    chunks.push(chunk);
  }
  try {
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Record<string, unknown>;
  } catch {
    // Refused below.
  }
  refuse(incoming, response, 400, 'invalid_json', 'The body is not a JSON object.');
  return null;
}

export const notFound = (incoming: IncomingMessage, response: ServerResponse): void =>
  refuse(incoming, response, 404, 'route_not_found', 'Clients cannot use this path.');

export const unauthorized = (incoming: IncomingMessage, response: ServerResponse): void =>
  refuse(incoming, response, 401, 'unauthenticated', 'The token is no longer good. Sign in again.');

export const tooSlow = (incoming: IncomingMessage, response: ServerResponse): void => {
  const reason = `iggy-server has not answered in ${ANSWER_TIMEOUT_MS / 1000} s. The request may still take effect.`;
  refuse(incoming, response, 504, 'broker_timeout', reason);
};

export const unavailable = (incoming: IncomingMessage, response: ServerResponse): void =>
  refuse(incoming, response, 503, 'broker_unavailable', 'The broker does not run.');

export const diskIsFull = (incoming: IncomingMessage, response: ServerResponse): void =>
  refuse(incoming, response, 507, 'disk_full', 'The disk of the node is full: the broker takes no new messages.');

/** In the form of the server's own errors. The rest of a body is not read, so the connection cannot be used again. */
function refuse(
  { complete }: IncomingMessage,
  response: ServerResponse,
  status: number,
  code: string,
  reason: string,
): void {
  if (!complete) response.setHeader('connection', 'close');
  send(response, status, 'application/json', JSON.stringify({ id: status, code, reason, field: null }));
}

export const severalHosts = (incoming: IncomingMessage, response: ServerResponse): void =>
  refuse(incoming, response, 400, 'invalid_request', 'A request has one Host header.');
