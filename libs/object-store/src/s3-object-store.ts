import type { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import { CountedStream } from './counted-stream.js';
import { segmentsOf } from './object-key.js';
import { ObjectStoreError } from './object-store-error.js';
import { ObjectStore, type SignedAddress, type StoredObject } from './object-store.js';

/** The location of the objects. Credentials come from the usual places of the AWS SDK: environment, profile, instance role. */
export interface S3Location {
  bucket: string;
  /** Prefix of every key. Empty or ending with `/`. */
  prefix: string;
  region: string;
  /** Endpoint of another store with the S3 interface. Unset for AWS. */
  endpoint?: string | undefined;
}

/** Maximum number of objects per delete request in the S3 interface. */
const DELETED_AT_ONCE = 1000;

/** Objects in a bucket of S3, or of a compatible store. The client is loaded with the first call. */
export class S3ObjectStore extends ObjectStore {
  private client: Promise<S3Client> | null = null;

  constructor(private readonly location: S3Location) {
    super();
  }

  /** Uses a multipart upload, so that length and hash can be unknown before the end. An unfinished upload creates no object. */
  async put(key: string, body: Readable, limitBytes: number): Promise<StoredObject> {
    const { Upload } = await import('@aws-sdk/lib-storage');
    const counted = new CountedStream(limitBytes);
    body.once('error', (error) => counted.destroy(error));
    const upload = new Upload({
      client: await this.opened(),
      params: { ...this.keyed(key), Body: body.pipe(counted) },
      queueSize: 2,
    });
    try {
      await upload.done();
      return counted.stored;
    } catch (error) {
      await upload.abort().catch(() => undefined);
      throw toStoreError(counted.errored ?? error);
    }
  }

  async get(key: string): Promise<Readable> {
    const { GetObjectCommand } = await import('@aws-sdk/client-s3');
    const client = await this.opened();
    const answer = await client.send(new GetObjectCommand(this.keyed(key))).catch((error: unknown) => {
      throw toStoreError(error);
    });
    return answer.Body as Readable;
  }

  async folders(): Promise<string[]> {
    const { paginateListObjectsV2 } = await import('@aws-sdk/client-s3');
    const { bucket: Bucket, prefix: Prefix } = this.location;
    const names: string[] = [];
    try {
      const pages = paginateListObjectsV2({ client: await this.opened() }, { Bucket, Prefix, Delimiter: '/' });
      for await (const { CommonPrefixes = [] } of pages)
        names.push(...CommonPrefixes.map(({ Prefix: path = '' }) => path.slice(Prefix.length, -1)));
    } catch (error) {
      throw toStoreError(error);
    }
    return names.sort();
  }

  async remove(key: string): Promise<void> {
    const { DeleteObjectCommand } = await import('@aws-sdk/client-s3');
    const client = await this.opened();
    await client.send(new DeleteObjectCommand(this.keyed(key))).catch((error: unknown) => {
      throw toStoreError(error);
    });
  }

  async removeBelow(prefix: string): Promise<void> {
    segmentsOf(prefix.replace(/\/$/, ''));
    try {
      while ((await this.removeSome(prefix)) === DELETED_AT_ONCE);
    } catch (error) {
      throw toStoreError(error);
    }
  }

  async sign(key: string, { seconds, fileName }: SignedAddress): Promise<string> {
    const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner');
    const { GetObjectCommand } = await import('@aws-sdk/client-s3');
    const disposition = `attachment; filename="${fileName.replaceAll(/[^A-Za-z0-9._-]/g, '_')}"`;
    const command = new GetObjectCommand({ ...this.keyed(key), ResponseContentDisposition: disposition });
    return getSignedUrl(await this.opened(), command, { expiresIn: seconds });
  }

  private async removeSome(prefix: string): Promise<number> {
    const { ListObjectsV2Command, DeleteObjectsCommand } = await import('@aws-sdk/client-s3');
    const client = await this.opened();
    const { bucket: Bucket } = this.location;
    const list = { Bucket, Prefix: this.location.prefix + prefix, MaxKeys: DELETED_AT_ONCE };
    const { Contents = [] } = await client.send(new ListObjectsV2Command(list));
    if (Contents.length === 0) return 0;
    const Objects = Contents.map(({ Key }) => ({ Key }));
    const { Errors = [] } = await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }));
    if (Errors.length > 0) throw new ObjectStoreError('unavailable', `${Errors.length} objects could not be removed`);
    return Contents.length;
  }

  private keyed(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.location.bucket, Key: this.location.prefix + segmentsOf(key).join('/') };
  }

  private opened(): Promise<S3Client> {
    this.client ??= this.open();
    return this.client;
  }

  private async open(): Promise<S3Client> {
    const { S3Client } = await import('@aws-sdk/client-s3');
    const { region, endpoint } = this.location;
    // Other stores do not support bucket names in host names.
    return new S3Client({ region, ...(endpoint && { endpoint, forcePathStyle: true }) });
  }
}

function toStoreError(error: unknown): ObjectStoreError {
  if (error instanceof ObjectStoreError) return error;
  const { name = 'unknown' } = (error ?? {}) as { name?: string };
  if (['NoSuchKey', 'NotFound'].includes(name)) return new ObjectStoreError('missing', 'there is no such object');
  return new ObjectStoreError('unavailable', `the object store failed: ${name}`, { cause: error });
}
