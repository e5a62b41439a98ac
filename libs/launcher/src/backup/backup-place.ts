import { createReadStream, createWriteStream, mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import { writePrivateFileSync } from '@libs/host/os';
import { ObjectStoreError, openObjectStore, type ObjectStore } from '@libs/object-store';
import pLimit from 'p-limit';
import { LauncherError } from '../launcher-error.js';
import { MANIFEST, parseManifest, readManifest, type BackupManifest } from './backup-manifest.js';
import { inTemporaryFolder } from './temporary-folder.js';

const NAME = /^landlord-\d{8}T\d{6}Z$/;
const S3 = /^s3:\/\//;
/** Files that are sent or fetched at the same time: a backup has more than a thousand small ones. */
const AT_ONCE = 8;

/** The name of the backup that begins now, such as `landlord-20261201T040434Z`. */
export const backupName = (now: Date): string => `landlord-${now.toISOString().replaceAll(/[-:]|\.\d+/g, '')}`;

/**
 * A place for several backups: a directory, or `s3://bucket/prefix?region=…&endpoint=…`. Each backup has a folder there. It is complete once its
 * manifest is there, which is written last and removed first. All methods reject with LauncherError.
 */
export class BackupPlace {
  private constructor(
    readonly address: string,
    /** Null for a bucket. */
    readonly directory: string | null,
    private readonly store: ObjectStore,
  ) {}

  static open(address: string): BackupPlace {
    const directory = S3.test(address) ? null : resolve(address);
    const url = directory === null ? address : pathToFileURL(directory).href;
    try {
      return new BackupPlace(address, directory, openObjectStore(url, ''));
    } catch (cause) {
      throw new LauncherError(`${address} is neither a directory nor s3://bucket/prefix.`, { cause });
    }
  }

  /** Copies a complete backup from a directory of this machine. */
  async send(source: string, name: string): Promise<void> {
    const manifest = readManifest(source);
    await this.explained(async () => {
      const sendFile = (path: string): Promise<unknown> =>
        this.store.put(`${name}/${path}`, createReadStream(join(source, path)), Number.MAX_SAFE_INTEGER);
      await allOf(pathsOf(manifest), sendFile);
      await sendFile(MANIFEST);
    });
  }

  /** Copies a backup into a new directory of this machine. Only a restore compares its files with the manifest. */
  async fetch(name: string, target: string): Promise<void> {
    const manifest = await this.manifestOf(name);
    if (manifest === null)
      throw new LauncherError(`${this.address} has no complete backup ${name}: ${name}/${MANIFEST} is missing.`);
    await this.explained(async () => {
      for (const path of ['', ...manifest.directories]) mkdirSync(join(target, path), { recursive: true, mode: 0o700 });
      await allOf(pathsOf(manifest), async (path) =>
        pipeline(await this.store.get(`${name}/${path}`), createWriteStream(join(target, path), { mode: 0o600 })),
      );
      writePrivateFileSync(join(target, MANIFEST), JSON.stringify(manifest));
    });
  }

  /**
   * Removes the oldest complete backups of the installation, so that `count` are left, at least one. Others in the place, and incomplete ones, stay: a
   * backup of another process may be on its way. Returns the names of the removed ones.
   */
  async removeOld(installation: string, count: number): Promise<string[]> {
    return this.explained(async () => {
      const complete: { name: string; finishedAt: string }[] = [];
      for (const name of (await this.store.folders()).filter((one) => NAME.test(one))) {
        const manifest = await this.manifestOf(name);
        if (manifest?.installation === installation) complete.push({ name, finishedAt: manifest.finished_at });
      }
      complete.sort((a, b) => b.finishedAt.localeCompare(a.finishedAt));
      const old = complete.slice(Math.max(1, count)).map(({ name }) => name);
      for (const name of old) {
        await this.store.remove(`${name}/${MANIFEST}`);
        await this.store.removeBelow(`${name}/`);
      }
      return old;
    });
  }

  /** Null for a backup that is not complete. */
  private async manifestOf(name: string): Promise<BackupManifest | null> {
    try {
      return parseManifest(
        await text(await this.store.get(`${name}/${MANIFEST}`)),
        `${this.address}: ${name}/${MANIFEST}`,
      );
    } catch (error) {
      if (error instanceof ObjectStoreError && error.fault === 'missing') return null;
      throw this.explanationOf(error);
    }
  }

  private async explained<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw this.explanationOf(error);
    }
  }

  private explanationOf(error: unknown): unknown {
    if (!(error instanceof ObjectStoreError)) return error;
    return new LauncherError(`${this.address} cannot be used: ${error.message}.`, { cause: error });
  }
}

/** Runs the work with a backup in a directory of this machine. One in a bucket, `s3://bucket/prefix/<name>?region=…`, is fetched first. */
export async function withBackup<T>(address: string, work: (directory: string) => Promise<T>): Promise<T> {
  if (!S3.test(address)) return work(resolve(address));
  const [path = '', ...query] = address.split('?');
  const place = BackupPlace.open([dirname(path), ...query].join('?'));
  return inTemporaryFolder(async (folder) => {
    const directory = join(folder, 'backup');
    await place.fetch(path.slice(path.lastIndexOf('/') + 1), directory);
    return work(directory);
  });
}

/** The files of the backup, without its manifest. */
const pathsOf = ({ files, with_keys: isWithKeys }: BackupManifest): string[] => [
  ...Object.keys(files),
  ...(isWithKeys ? ['secret-keys'] : []),
];

/** After a failure no work begins, and all that began have ended when this rejects. */
async function allOf(paths: readonly string[], work: (path: string) => Promise<unknown>): Promise<void> {
  const limit = pLimit(AT_ONCE);
  const failures: unknown[] = [];
  const attempt = async (path: string): Promise<void> => {
    if (failures.length > 0) return;
    await work(path).catch((error: unknown) => failures.push(error));
  };
  await Promise.all(paths.map((path) => limit(attempt, path)));
  if (failures.length > 0) throw failures[0];
}
