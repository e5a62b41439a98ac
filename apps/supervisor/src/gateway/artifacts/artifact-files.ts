import { constants } from 'node:fs';
import { open, readFile, stat, type FileHandle } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Inject, Injectable, Logger } from '@nestjs/common';
import type { AgentPart, MachineProgram, Processor } from '@libs/domain';
import { z } from 'zod';
import { SUPERVISOR_CONFIG, type SupervisorConfig } from '../../config.js';

/** Written by scripts/artifacts. The members that the gateway needs. */
const artifactSchema = z.object({
  name: z.string(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  bytes: z.number().int().positive(),
  /** `any`, `x64` or `arm64`. */
  arch: z.string().default('any'),
  /** The file that starts. Empty: the archive contains no program. */
  entry: z.string().default(''),
  /** The artifact over whose files the files of this one lie. */
  over: z.string().nullable().default(null),
  /** A newer artifact has replaced this one. Machines that run the older agents still get it. */
  superseded: z.boolean().default(false),
});
const manifestSchema = z.object({ artifacts: z.array(artifactSchema) });

type Artifact = z.output<typeof artifactSchema>;

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
  private artifacts: readonly Artifact[] = [];
  /** The manifest of which `artifacts` are: a new one is another file. */
  private readState = '';

  constructor(@Inject(SUPERVISOR_CONFIG) { LANDLORD_DATA_DIR }: SupervisorConfig) {
    this.folder = resolve(LANDLORD_DATA_DIR, 'artifacts');
  }

  /** Null when the manifest does not name the hash, or the file is not the one of the manifest. */
  async open(sha256: string): Promise<OpenArtifact | null> {
    const bytes = (await this.readManifest()).find((one) => one.sha256 === sha256)?.bytes;
    if (bytes === undefined) return null;
    const file = await open(join(this.folder, sha256), constants.O_RDONLY | constants.O_NOFOLLOW).catch(() => null);
    if (file !== null && (await isWhole(file, bytes))) return { file, bytes };
    await file?.close();
    this.logger.error({ sha256, bytes }, 'an artifact is missing or damaged; run: npm run artifacts');
    return null;
  }

  /**
   * Finds the current program with this name that runs on the processor, or the one that lies over the artifact `over`. Returns null when
   * the manifest has none.
   */
  async find(name: string, processor: Processor, over: string | null = null): Promise<MachineProgram | null> {
    const runs = (await this.readManifest()).filter(
      (one) => one.name === name && (one.arch === processor || one.arch === 'any') && one.entry !== '',
    );
    return programOf(runs.find((one) => (over === null || one.over === null ? !one.superseded : one.over === over)));
  }

  /** Finds the program with this name and hash, also a superseded one. */
  async findByHash(name: string, sha256: string): Promise<MachineProgram | null> {
    return programOf((await this.readManifest()).find((one) => one.name === name && one.sha256 === sha256));
  }

  /** Lists the artifacts for the processor that lie over the artifact `over`. */
  async listParts(over: string, processor: Processor): Promise<AgentPart[]> {
    const artifacts = await this.readManifest();
    return artifacts
      .filter((one) => one.over === over && (one.arch === processor || one.arch === 'any'))
      .map(({ name, sha256, bytes }) => ({ name, sha256, bytes }));
  }

  private async readManifest(): Promise<readonly Artifact[]> {
    const path = join(this.folder, 'manifest.json');
    const state = await stat(path).then(
      ({ ino, size, mtimeMs }) => `${ino} ${size} ${mtimeMs}`,
      () => '',
    );
    if (state === this.readState) return this.artifacts;
    this.artifacts = state === '' ? [] : await this.parse(path);
    this.readState = state;
    return this.artifacts;
  }

  private async parse(path: string): Promise<readonly Artifact[]> {
    try {
      return manifestSchema.parse(JSON.parse(await readFile(path, 'utf8'))).artifacts;
    } catch (error) {
      this.logger.error({ err: error }, 'the manifest of the artifacts cannot be read; run: npm run artifacts');
      return [];
    }
  }
}

const programOf = (artifact: Artifact | undefined): MachineProgram | null =>
  artifact && artifact.entry !== '' ? { sha256: artifact.sha256, entry: artifact.entry } : null;

async function isWhole(file: FileHandle, bytes: number): Promise<boolean> {
  const stats = await file.stat();
  return stats.isFile() && stats.size === bytes;
}
