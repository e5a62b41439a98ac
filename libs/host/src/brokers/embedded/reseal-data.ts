import { mkdir, rename, rm } from 'node:fs/promises';
import type { DataSource } from '@libs/domain';
import { ClassicLevel } from 'classic-level';
import { openCipher } from '../encryption/sealed-data.js';
import { sealValues } from './store/sealed-level.js';
import type { ValueCipher } from '../encryption/value-cipher.js';

/** Limits of one write, so that memory does not grow with the data. */
const BATCH_ENTRIES = 500;
const BATCH_BYTES = 4 * 1024 * 1024;

type Entry = [key: Buffer, value: Buffer];

/**
 * Encrypts the data of another deployment under the key of this node. Writes a new store, because the files of the old one
 * would keep values under the old key until a compaction. `directory` is a copy of a data directory, and no broker uses it.
 * Rejects with BrokerError when the key of the source does not open the data.
 */
export async function resealData(directory: string, key: string, source: DataSource): Promise<void> {
  const sealed = `${directory}.sealed`;
  await rm(sealed, { recursive: true, force: true });
  await mkdir(sealed, { mode: 0o700 });
  try {
    const opened = { data_dir: directory, ...(source.key !== null && { encryption: { key: source.key } }) };
    const [from, to] = [await openCipher(opened), await openCipher({ data_dir: sealed, encryption: { key } })];
    await copyValues(await storeAt(directory, from), await storeAt(sealed, to));
    await rm(directory, { recursive: true });
    await rename(sealed, directory);
  } finally {
    await rm(sealed, { recursive: true, force: true });
  }
}

/** The store opens before its first use, because an iterator that is created earlier decodes twice. */
async function storeAt(directory: string, cipher: ValueCipher | null): Promise<ClassicLevel> {
  const store = new ClassicLevel(directory);
  if (cipher) sealValues(store, cipher);
  await store.open();
  return store;
}

async function copyValues(from: ClassicLevel, to: ClassicLevel): Promise<void> {
  try {
    for await (const batch of batchesOf(from))
      await to.batch<Buffer, Buffer>(
        batch.map(([key, value]) => ({ type: 'put', key, value })),
        { keyEncoding: 'buffer', valueEncoding: 'buffer', sync: true },
      );
  } finally {
    await from.close();
    await to.close();
  }
}

async function* batchesOf(store: ClassicLevel): AsyncGenerator<Entry[]> {
  let [batch, bytes]: [Entry[], number] = [[], 0];
  for await (const entry of store.iterator<Buffer, Buffer>({ keyEncoding: 'buffer', valueEncoding: 'buffer' })) {
    batch.push(entry);
    bytes += entry[0].length + entry[1].length;
    if (batch.length < BATCH_ENTRIES && bytes < BATCH_BYTES) continue;
    yield batch;
    [batch, bytes] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}
