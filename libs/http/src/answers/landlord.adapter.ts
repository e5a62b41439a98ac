import { hash } from 'node:crypto';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Response } from 'express';
import { Page } from './page.js';

/**
 * Writes a JSON answer in one call. Express writes a header and a Buffer in two calls, which takes a third of the time
 * of a small read. Every GET of one resource has a strong etag of its exact bytes, so this class also answers
 * conditional reads.
 */
export class LandlordAdapter extends ExpressAdapter {
  /** Aborted when the process stops. Every later answer then closes its connection. */
  stopping: AbortSignal | undefined;

  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    const status = statusCode ?? response.statusCode;
    if (this.stopping?.aborted) response.setHeader('connection', 'close');
    if (body === undefined || body === null) return response.writeHead(status).end();
    if (typeof body === 'string' || Buffer.isBuffer(body)) return super.reply(response, body, statusCode);
    const text = JSON.stringify(body);
    if (body instanceof Page) response.setHeader('link', body.linksFor(response.req.originalUrl));
    return isRead(response.req.method) && status === 200 ? sendTagged(response, text) : send(response, status, text);
  }
}

const JSON_TYPE = 'application/json; charset=utf-8';

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';

function send(response: Response, status: number, text: string): Response {
  response.writeHead(status, { 'content-type': JSON_TYPE, 'content-length': Buffer.byteLength(text) });
  return response.end(response.req.method === 'HEAD' ? undefined : text);
}

function sendTagged(response: Response, text: string): Response {
  const etag = etagOf(text);
  if (isUnchanged(response.req.headers['if-none-match'], etag)) return response.writeHead(304, { etag }).end();
  response.writeHead(200, { 'content-type': JSON_TYPE, etag, 'content-length': Buffer.byteLength(text) });
  return response.end(response.req.method === 'HEAD' ? undefined : text);
}

/** Strong entity tag of a representation's exact bytes. */
export const etagOf = (text: string | Buffer): string => `"${hash('sha1', text, 'base64url')}"`;

/** Whether a list of tags in a conditional header names `tag` (or is `*`). */
export function matches(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || header.split(',').some((candidate) => candidate.trim() === tag);
}

/** `if-none-match` uses weak comparison (RFC 9110, 13.1.2): a proxy that compresses answers makes their tags weak. */
export const isUnchanged = (header: string | undefined, tag: string): boolean =>
  matches(header?.replaceAll('W/"', '"'), tag);
