import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AgentError, GatewayError } from '../agent-error.js';
import { unpacking } from '../orders/archive.js';
import { ArtifactDamaged, type Artifact } from './artifact.js';
import type { ArtifactClient } from './artifact-client.js';
import { filesUnder, isFull, synced } from './durable-files.js';

const PART = '.part';
const UNPACKED = '.d';
/** Folders of unfinished work start with it. */
export const UNPACKING = '.unpack-';
/** Limit for an artifact whose size is not named. An archive of Node.js has 50 MB. */
const LARGEST_BYTES = 1024 ** 3;

/**
 * The artifacts of a node, in a directory of its own: `<sha256>` is a whole and checked archive, `<sha256>.d` is a whole unpacked
 * one, at every moment and after a crash. `<sha256>.part` continues at the next fetch.
 */
export class ArtifactStore {
  private readonly fetching = new Map<string, Promise<string>>();
  private readonly unpackings = new Map<string, Promise<string>>();

  constructor(
    private readonly directory: string,
    private readonly client: Pick<ArtifactClient, 'read'>,
  ) {}

  /**
   * Fetches the archive unless it is here, and returns its path. Calls for the same hash share one fetch, and the signal of the
   * first call. Continues after a cut as long as bytes arrive. Rejects with ArtifactDamaged for another content, with GatewayError
   * for a refusal, otherwise with the error of the network or the disk. Nothing stays of a wrong content and on a full disk.
   */
  fetch(artifact: Artifact, signal: AbortSignal): Promise<string> {
    return once(this.fetching, artifact.sha256, () => this.bring(artifact, signal));
  }

  /** Fetches and unpacks the archive unless it is here, and returns the folder. Rejects like `fetch`. */
  unpacked(artifact: Artifact, signal: AbortSignal): Promise<string> {
    return once(this.unpackings, artifact.sha256, async () => {
      const folder = this.path(artifact.sha256 + UNPACKED);
      if ((await sizeOf(folder)) !== null) return folder;
      await this.unpackBeside(artifact, this.directory, signal, (work) => rename(work, folder));
      await synced(this.directory);
      return folder;
    });
  }

  /**
   * Fetches the archive and moves its files into a folder that has other files. The file `entry` appears last. Rejects like
   * `fetch`.
   */
  async layOver(artifact: Artifact, folder: string, entry: string, signal: AbortSignal): Promise<void> {
    await this.unpackBeside(artifact, folder, signal, async (work) => {
      const files = (await filesUnder(work)).filter((file) => file !== entry);
      for (const file of [...files, entry]) {
        await mkdir(dirname(join(folder, file)), { recursive: true, mode: 0o700 });
        await rename(join(work, file), join(folder, file));
        await synced(dirname(join(folder, file)));
      }
    });
  }

  /** Deletes everything except the named artifacts, and those of unfinished calls. */
  async prune(named: readonly Artifact[]): Promise<void> {
    const isBusy = this.unpackings.size > 0;
    const usedHashes = new Set([
      ...named.map(({ sha256 }) => sha256),
      ...this.fetching.keys(),
      ...this.unpackings.keys(),
    ]);
    for (const name of await readdir(this.directory).catch(() => [])) {
      const isKept = name.startsWith(UNPACKING) ? isBusy : usedHashes.has(name.replace(/\.(part|d)$/, ''));
      if (!isKept) await rm(this.path(name), { recursive: true, force: true });
    }
  }

  private path(name: string): string {
    return join(this.directory, name);
  }

  private async bring(artifact: Artifact, signal: AbortSignal): Promise<string> {
    const [whole, part] = [this.path(artifact.sha256), this.path(artifact.sha256 + PART)];
    const size = await sizeOf(whole);
    if (size !== null && size === (artifact.bytes ?? size)) return whole;
    await mkdir(this.directory, { recursive: true, mode: 0o700 });
    try {
      await this.download(artifact, part, signal);
      await requireHash(part, artifact.sha256);
    } catch (error) {
      if (error instanceof ArtifactDamaged || isFull(error) || (await sizeOf(part)) === 0)
        await rm(part, { force: true });
      throw error;
    }
    await synced(part);
    await rename(part, whole);
    await synced(this.directory);
    return whole;
  }

  /** A cut ends the download only if it brought nothing. */
  private async download(artifact: Artifact, part: string, signal: AbortSignal): Promise<void> {
    let [before, cut]: [number, unknown] = [-1, null];
    for (;;) {
      const size = (await sizeOf(part)) ?? 0;
      if (artifact.bytes !== undefined && size >= artifact.bytes) return;
      if (size <= before) throw cut;
      before = size;
      const end = await this.append(artifact, part, size, signal).catch((error: unknown) => error);
      if (artifact.bytes === undefined && (end === undefined || isPastTheEnd(end))) return;
      cut = end ?? new AgentError('the gateway ended an artifact early');
      if (signal.aborted || isFinal(cut)) throw cut;
    }
  }

  private async append({ sha256, bytes }: Artifact, part: string, size: number, signal: AbortSignal): Promise<void> {
    const file = await open(part, 'a', 0o600);
    try {
      const { first, body } = await this.client.read(sha256, size, signal);
      if (first < size) await file.truncate(first);
      let bytesLeft = (bytes ?? LARGEST_BYTES) - first;
      // A pipeline would drop the received bytes that it has not written at a cut.
      for await (const chunk of body as AsyncIterable<Buffer>) {
        bytesLeft -= chunk.length;
        if (bytesLeft < 0) throw new ArtifactDamaged('an artifact is longer than its size');
        await file.appendFile(chunk);
      }
    } finally {
      await file.close();
    }
  }

  private async unpackBeside(
    artifact: Artifact,
    place: string,
    signal: AbortSignal,
    take: (work: string) => Promise<void>,
  ): Promise<void> {
    const archive = await this.fetch(artifact, signal);
    const work = await mkdtemp(join(place, UNPACKING));
    try {
      await unpack(archive, work);
      await Promise.all((await filesUnder(work)).map((file) => synced(join(work, file))));
      await take(work);
    } finally {
      // After a failure, the unpacker still closes the files that it has open.
      await rm(work, { recursive: true, force: true, maxRetries: 10 });
    }
  }
}

function once(running: Map<string, Promise<string>>, sha256: string, work: () => Promise<string>): Promise<string> {
  const begun = running.get(sha256) ?? work().finally(() => running.delete(sha256));
  running.set(sha256, begun);
  return begun;
}

async function unpack(archive: string, folder: string): Promise<void> {
  try {
    await pipeline(createReadStream(archive), await unpacking(folder));
  } catch (error) {
    if (isFull(error)) throw error;
    throw new ArtifactDamaged(`an artifact cannot be unpacked: ${error instanceof Error ? error.message : 'unknown'}`);
  }
}

async function requireHash(file: string, sha256: string): Promise<void> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  if (hash.digest('hex') !== sha256) throw new ArtifactDamaged('an artifact has another sha256 than its name');
}

/** Another request of the same artifact does not help. */
const isFinal = (error: unknown): boolean =>
  error instanceof GatewayError || error instanceof ArtifactDamaged || isFull(error);

/** The archive has no byte at the place where the part ends: the part is whole. */
const isPastTheEnd = (error: unknown): boolean => error instanceof GatewayError && error.status === 416;

/** Null when the file does not exist. */
const sizeOf = (path: string): Promise<number | null> =>
  stat(path).then(
    ({ size }) => size,
    () => null,
  );
