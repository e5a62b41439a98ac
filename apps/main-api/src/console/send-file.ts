import { isUnchanged } from '@libs/http';
import type { Request, Response } from 'express';
import type { ConsoleFile, Variant } from './console-files.js';

/** Sends the smallest variant that the client accepts, or 304 if the client has it. */
export function sendFile(request: Request, response: Response, { type, variants }: ConsoleFile): void {
  const { encoding, body, etag } = accepted(request.headers['accept-encoding'], variants);
  response.vary('accept-encoding');
  response.setHeader('etag', etag);
  if (isUnchanged(request.headers['if-none-match'], etag)) {
    response.writeHead(304).end();
    return;
  }
  if (encoding !== null) response.setHeader('content-encoding', encoding);
  response.writeHead(200, { 'content-type': type, 'content-length': body.length });
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** The last variant is the file itself, which every client accepts. */
function accepted(header: string | undefined, variants: readonly Variant[]): Variant {
  const names = (header ?? '')
    .split(',')
    .map((part) =>
      part
        .trim()
        .toLowerCase()
        .split(/\s*;\s*/),
    )
    .filter(([, weight]) => !/^q=0(\.0{1,3})?$/.test(weight ?? ''))
    .map(([name]) => name);
  const variant = variants.find(({ encoding }) => encoding === null || names.includes(encoding));
  return variant ?? (variants.at(-1) as Variant);
}
