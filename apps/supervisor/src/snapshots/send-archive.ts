import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';

/** An open archive, and its file name for the browser. */
export interface OpenArchive {
  body: Readable;
  fileName: string;
  /** Aborts the transfer. */
  stopping: AbortSignal;
}

/**
 * Sends the archive at the speed of the client. When reading fails, the client disconnects or this process stops, the
 * connection closes and the archive is closed.
 */
export async function sendArchive(response: Response, { body, fileName, stopping }: OpenArchive): Promise<void> {
  response.writeHead(200, {
    'content-type': 'application/zip',
    'content-disposition': `attachment; filename="${fileName}"`,
    'cache-control': 'no-store',
  });
  // The pipeline has closed both ends, so no answer is possible.
  await pipeline(body, response, { signal: stopping }).catch(() => undefined);
}
