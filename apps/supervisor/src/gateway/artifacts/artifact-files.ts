import { constants } from 'node:fs';
import { open, readFile, stat, type FileHandle } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { z } from 'zod';
import { SUPERVISOR_CONFIG, type SupervisorConfig } from '../../config.js';

/** Written by scripts/artifacts. The members that the gateway needs. */
const manifestSchema = z.object({
  artifacts: z.array(
    z.object({
      name: z.string(),
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
      bytes: z.number().int().positive(),
    }),
  ),
});

/** A readable artifact. The caller closes the file. */
export interface OpenArtifact {
  file: FileHandle;
  bytes: number;
}

/** The artifacts of the data directory. Only files that the manifest names can be read. */
@Injectable()
export class ArtifactFiles {
  private readonly logger = new Logger('Gateway');
  private readonly folder: string;
  private sizes: ReadonlyMap<string, number> = new Map();
  /** The manifest of which `sizes` are: a new one is another file. */
  private readState = '';

  constructor(@Inject(SUPERVISOR_CONFIG) { LANDLORD_DATA_DIR }: SupervisorConfig) {
    this.folder = resolve(LANDLORD_DATA_DIR, 'artifacts');
  }

  /** Null when the manifest does not name the hash, or the file is not the one of the manifest. */
  async open(sha256: string): Promise<OpenArtifact | null> {
    const bytes = (await this.readManifest()).get(sha256);
    if (bytes === undefined) return null;
    const file = await open(join(this.folder, sha256), constants.O_RDONLY | constants.O_NOFOLLOW).catch(() => null);
    if (file !== null && (await isWhole(file, bytes))) return { file, bytes };
    await file?.close();
    this.logger.error({ sha256, bytes }, 'an artifact is missing or damaged; run: npm run artifacts');
    return null;
  }

  private async readManifest(): Promise<ReadonlyMap<string, number>> {
    const path = join(this.folder, 'manifest.json');
    const state = await stat(path).then(
      ({ ino, size, mtimeMs }) => `${ino} ${size} ${mtimeMs}`,
      () => '',
    );
    if (state === this.readState) return this.sizes;
    this.sizes = state === '' ? new Map() : await this.parse(path);
    this.readState = state;
    return this.sizes;
  }

  private async parse(path: string): Promise<ReadonlyMap<string, number>> {
    try {
      const { artifacts } = manifestSchema.parse(JSON.parse(await readFile(path, 'utf8')));
      return new Map(artifacts.map(({ sha256, bytes }) => [sha256, bytes]));
    } catch (error) {
      this.logger.error({ err: error }, 'the manifest of the artifacts cannot be read; run: npm run artifacts');
      return new Map();
    }
  }
}

async function isWhole(file: FileHandle, bytes: number): Promise<boolean> {
  const found = await file.stat();
  return found.isFile() && found.size === bytes;
}
