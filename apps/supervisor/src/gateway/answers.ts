import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AgentAnswer } from '@libs/domain';

/** Answers one kind of request. Rejects with Refused to refuse. */
export type Serve = (request: IncomingMessage, response: ServerResponse, url: URL | null) => Promise<void>;

/** The parameters of the query. A repeated one has its last value. */
export const parametersOf = (url: URL | null): object => Object.fromEntries(url?.searchParams ?? []);

/** Sends 200 with JSON, and the members that every answer has. */
export function sendAnswer(response: ServerResponse, intervalMs: number, body: object): void {
  const common: AgentAnswer = { server_time: new Date().toISOString(), interval_ms: intervalMs };
  const text = JSON.stringify({ ...common, ...body });
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }).end(text);
}

/** Sends 204: the client already has the newest data. */
export function sendNothingNew(response: ServerResponse): void {
  response.writeHead(204, { 'ld-server-time': new Date().toISOString() }).end();
}

/** A signal that is aborted when the client closes the connection. */
export function closedBy(response: ServerResponse): AbortSignal {
  const closed = new AbortController();
  response.once('close', () => closed.abort());
  return closed.signal;
}
