import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FileObjectStore } from './file-object-store.js';
import { ObjectStoreError } from './object-store-error.js';
import type { ObjectStore } from './object-store.js';
import { S3ObjectStore } from './s3-object-store.js';

/**
 * The store of `OBJECT_STORE_URL`: `file:///path`, or `s3://bucket/prefix?region=…&endpoint=…`. Default: `objects` in the data
 * directory. Does not connect yet.
 * @throws ObjectStoreError for an invalid URL
 */
export function openObjectStore(address: string | undefined, dataDir: string): ObjectStore {
  if (address === undefined) return new FileObjectStore(join(dataDir, 'objects'));
  const url = URL.parse(address);
  if (url?.protocol === 'file:') return new FileObjectStore(fileURLToPath(url));
  if (url?.protocol === 's3:' && url.hostname !== '') return new S3ObjectStore(locationOf(url));
  throw new ObjectStoreError('unavailable', 'OBJECT_STORE_URL must be file:///… or s3://bucket/prefix');
}

function locationOf({ hostname: bucket, pathname, searchParams }: URL) {
  const path = pathname.replace(/^\/+|\/+$/g, '');
  return {
    bucket,
    prefix: path === '' ? '' : `${path}/`,
    region: searchParams.get('region') ?? 'us-east-1',
    endpoint: searchParams.get('endpoint') ?? undefined,
  };
}
