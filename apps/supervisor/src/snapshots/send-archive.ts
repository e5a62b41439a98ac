import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';

/** An archive that is opened, and the name that a browser saves it under. */
export interface OpenArchive {
  body: Readable;
  fileName: string;
  /** Breaks it off. */
  stopping: AbortSignal;
}

/** Sends it as fast as it is taken. When reading fails, the client leaves or this process stops, the connection breaks and the archive is closed. */
export async function sendArchive(response: Response, { body, fileName, stopping }: OpenArchive): Promise<void> {
  response.writeHead(200, {
    'content-type': 'application/zip',
    'content-disposition': `attachment; filename="${fileName}"`,
    'cache-control': 'no-store',
  });
  // The pipeline has destroyed both ends by then: there is nobody left to answer.
  await pipeline(body, response, { signal: stopping }).catch(() => undefined);
}
