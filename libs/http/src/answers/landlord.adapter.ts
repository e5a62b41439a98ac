import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { NestApplicationOptions } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Response } from 'express';
import { BACKLOG } from '@libs/domain/admission';
import { isUnchanged, recordEtagOf } from './etag.js';
import { Page } from './page.js';

/** Time limit for the head of a request. */
const HEADERS_MS = 15_000;
const CHECK_MS = 5_000;
/**
 * Longer than the idle timeouts of load balancers. Otherwise a connection could close while the next request is on its
 * way.
 */
const KEEP_ALIVE_MS = 65_000;

/**
 * Writes a JSON answer in one call. Express writes a header and a Buffer in two calls, which takes a third of the time
 * of a small read. Every GET of one resource has a strong etag of its exact bytes, so this class also answers
 * conditional reads.
 */
export class LandlordAdapter extends ExpressAdapter {
  /** Aborted when the process stops. Every later answer then closes its connection. */
  stopping: AbortSignal | undefined;

  /** Nest would create the server without these limits, and Node applies the time for headers only once in 30 seconds. */
  override initHttpServer({ httpsOptions }: NestApplicationOptions): void {
    const limits = {
      headersTimeout: HEADERS_MS,
      connectionsCheckingInterval: CHECK_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
    };
    const app = this.getInstance<RequestListener>();
    this.httpServer = httpsOptions ? createTlsServer({ ...limits, ...httpsOptions }, app) : createServer(limits, app);
  }

  /** `host` and `callback` as Nest passes them. */
  override listen(port: string | number, ...[host, ...more]: unknown[]): Server {
    const server = this.httpServer as Server;
    const callback = [host, ...more].find((one) => typeof one === 'function') as (() => void) | undefined;
    const address = typeof host === 'string' ? { host } : {};
    return server.listen({ port: Number(port), ...address, backlog: BACKLOG }, callback);
  }

  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    const status = statusCode ?? response.statusCode;
    if (this.stopping?.aborted) response.setHeader('connection', 'close');
    if (body === undefined || body === null) return response.writeHead(status).end();
    if (typeof body === 'string' || Buffer.isBuffer(body)) return super.reply(response, body, statusCode);
    const text = JSON.stringify(body);
    if (body instanceof Page) response.setHeader('link', body.linksFor(response.req.originalUrl));
    return isRead(response.req.method) && status === 200
      ? sendTagged(response, body, text)
      : send(response, status, text);
  }
}

const JSON_TYPE = 'application/json; charset=utf-8';

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';

function send(response: Response, status: number, text: string): Response {
  response.writeHead(status, { 'content-type': JSON_TYPE, 'content-length': Buffer.byteLength(text) });
  return response.end(response.req.method === 'HEAD' ? undefined : text);
}

function sendTagged(response: Response, body: object, text: string): Response {
  const etag = recordEtagOf(body, text);
  if (isUnchanged(response.req.headers['if-none-match'], etag)) return response.writeHead(304, { etag }).end();
  response.writeHead(200, { 'content-type': JSON_TYPE, etag, 'content-length': Buffer.byteLength(text) });
  return response.end(response.req.method === 'HEAD' ? undefined : text);
}
