import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';

export interface Download {
  /** Media type. */
  type: string;
  /** What a browser saves it as. */
  name: string;
  /** Breaks it off. */
  stopping: AbortSignal;
}

/**
 * Sends a text as a file, piece by piece, as fast as the client takes it. When the pieces fail after the first, the
 * connection is broken off without the end that a whole body has; before it, the error is answered as any other.
 */
export async function sendDownload(
  response: Response,
  { type, name, stopping }: Download,
  pieces: AsyncIterable<string>,
): Promise<void> {
  const body = Readable.from(pieces, { objectMode: true, highWaterMark: 1 });
  response.setHeader('content-type', `${type}; charset=utf-8`);
  response.setHeader('content-disposition', `attachment; filename="${name}"`);
  response.setHeader('cache-control', 'no-store');
  await pipeline(body, response, { signal: stopping });
}
