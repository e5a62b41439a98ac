import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';

/** The size and hash of a copied file. */
export interface CopiedFile {
  bytes: number;
  sha256: string;
}

const CHUNK_BYTES = 1024 * 1024;

/** Copies a file (0600), synced to disk. Returns the SHA-256 of the written bytes. The target must not exist. */
export async function copyFile(source: string, target: string): Promise<CopiedFile> {
  const input = await open(source, 'r');
  const output = await open(target, 'wx', 0o600).catch(async (error: unknown) => {
    await input.close();
    throw error;
  });
  try {
    return await pour(input, output);
  } finally {
    await input.close();
    await output.close();
  }
}

async function pour(input: FileHandle, output: FileHandle): Promise<CopiedFile> {
  const hash = createHash('sha256');
  const buffer = Buffer.alloc(CHUNK_BYTES);
  let bytes = 0;
  for (;;) {
    const { bytesRead } = await input.read(buffer, 0, CHUNK_BYTES, null);
    if (bytesRead === 0) break;
    const chunk = buffer.subarray(0, bytesRead);
    hash.update(chunk);
    await output.writeFile(chunk);
    bytes += bytesRead;
  }
  await output.sync();
  return { bytes, sha256: hash.digest('hex') };
}

/** Syncs a directory, so that its entries survive a power cut. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
