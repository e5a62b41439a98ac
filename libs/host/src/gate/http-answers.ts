import type { IncomingMessage, ServerResponse } from 'node:http';

/** On every answer of the HTTP port. The page loads only its own files, and no other page can embed or read an answer. */
const SECURITY_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

export function setSecurityHeaders(response: ServerResponse): void {
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
}

export function send(response: ServerResponse, status: number, type: string, body: string | Buffer): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) }).end(body);
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  send(response, status, 'application/json', JSON.stringify(body));
}

/** A refused request of the page. The browser shows `detail`. */
export class PageRefusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly detail: string,
    readonly headers: Record<string, string> = {},
  ) {
    super(detail);
  }
}

export function sendRefusal(response: ServerResponse, { status, code, detail, headers }: PageRefusal): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  send(response, status, 'application/problem+json', JSON.stringify({ status, code, detail }));
}

/** Largest body that an endpoint reads, in bytes. */
export const BODY_LIMIT_BYTES = 4 * 1024;

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

export const isTooLarge = ({ headers }: IncomingMessage): boolean =>
  Number(headers['content-length'] ?? 0) > BODY_LIMIT_BYTES;

export const tooLarge = (): PageRefusal =>
  new PageRefusal(413, 'body_too_large', `The body is larger than ${BODY_LIMIT_BYTES} bytes.`);

export const severalHosts = (): PageRefusal =>
  new PageRefusal(400, 'request_invalid', 'A request has one Host header.');
