import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { OrderFailed } from '../order-failed.js';

/** The folder of the server's own snapshot, beside the copy of its data. */
export const SERVER_SNAPSHOT = 'server-snapshot';
/** Unpacked size of all files. A server writes a few MiB of its newest logs. */
const LIMIT_BYTES = 64 * 1024 * 1024;

/** Unpacks the snapshot that a server made of itself into the folder, with masked secrets. Throws OrderFailed for one that is too large. */
export async function keepServerSnapshot(
  zip: Buffer,
  directory: string,
  redact: (text: string) => string,
): Promise<void> {
  const { fromBufferPromise } = await import('yauzl');
  const folder = join(directory, SERVER_SNAPSHOT);
  await mkdir(folder, { mode: 0o700 });
  let bytesLeft = LIMIT_BYTES;
  const archive = await fromBufferPromise(zip);
  for await (const entry of archive.eachEntry()) {
    bytesLeft -= entry.uncompressedSize;
    if (bytesLeft < 0) throw new OrderFailed('the snapshot of the server is too large');
    const content = await buffer(await archive.openReadStreamPromise(entry));
    await writeFile(join(folder, basename(entry.fileName)), redact(content.toString()), { mode: 0o600 });
  }
}
