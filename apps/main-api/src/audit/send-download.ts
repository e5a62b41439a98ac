import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';

export interface Download {
  /** Media type. */
  type: string;
  /** The file name for the browser. */
  name: string;
  /** Aborts the transfer. */
  stopping: AbortSignal;
}

/**
 * Sends a text as a file, in pieces at the speed of the client. When a later piece fails, the connection closes without
 * the end of a complete body. An error before the first piece is answered like other errors.
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
