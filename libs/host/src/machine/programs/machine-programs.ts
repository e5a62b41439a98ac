import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { BrokerBinaries } from '../../brokers/broker-runtimes.js';
import type { BrokerDriver } from '@libs/domain/agent-protocol';
import type { MachineProgram, MachinePrograms } from '@libs/domain/machine-protocol';
import { ArtifactDamaged } from '../../node/artifacts/artifact.js';
import { ArtifactStore } from '../../node/artifacts/artifact-store.js';
import type { ArtifactClient } from '../../node/artifacts/artifact-client.js';
import { NodeFailed } from '../nodes/node-failed.js';

/** Folders of unfinished work start with it. */
const WORK = '.new-';
const ARCHIVES = 'archives';

/** The programs of one node, as absolute paths. */
export interface NodePrograms {
  /** The program of Node.js. */
  node: string;
  /** Entry file of the agent. */
  agent: string;
  /** SHA-256 of the artifact of the agent. */
  agentArtifact: string;
  binaries: BrokerBinaries;
  /** Names of the folders of all these programs. */
  folders: string[];
}

/**
 * The programs of the nodes, by the hashes of their artifacts. A folder appears by one rename after all its files are durable, so that
 * no node starts from a part. All users may read the folders, because each node may have its own user.
 */
export class ProgramFolders {
  private readonly store: ArtifactStore;
  private readonly building = new Map<string, Promise<string>>();
  private pruning: Promise<void> = Promise.resolve();

  constructor(
    private readonly directory: string,
    client: Pick<ArtifactClient, 'read'>,
  ) {
    this.store = new ArtifactStore(join(directory, ARCHIVES), client);
  }

  /**
   * Brings the programs of a node with this broker. Throws NodeFailed when the installation has no such program, the disk is full, or an
   * artifact is damaged; otherwise rejects with the network error. A failure leaves no part of a program.
   */
  async bring(broker: BrokerDriver, programs: MachinePrograms, signal: AbortSignal): Promise<NodePrograms> {
    const { agent, embedded, node, nats, iggy } = programs;
    const layers = broker === 'embedded' ? [agent, required(embedded, broker)] : [agent];
    const server = broker === 'embedded' ? undefined : required({ nats, iggy }[broker], broker);
    try {
      const own = await this.folderOf(layers, signal);
      const folders = [own];
      const pathOf = async (program: MachineProgram): Promise<string> => {
        const folder = await this.folderOf([program], signal);
        folders.push(folder);
        return join(this.directory, folder, program.entry);
      };
      const binaries = server === undefined ? {} : await binariesOf(broker, await pathOf(server));
      const program = node === undefined ? process.execPath : await pathOf(node);
      const entry = join(this.directory, own, agent.entry);
      return { node: program, agent: entry, agentArtifact: agent.sha256, binaries, folders };
    } catch (error) {
      const sentence = sentenceOf(error);
      if (sentence instanceof NodeFailed && this.building.size === 0) await this.store.prune([]);
      throw sentence;
    }
  }

  /** Brings one program. Returns the path of `entry` in it. Throws and rejects like `bring`. */
  async bringOne(program: MachineProgram, entry: string, signal: AbortSignal): Promise<string> {
    try {
      return join(this.directory, await this.folderOf([program], signal), entry);
    } catch (error) {
      throw sentenceOf(error);
    }
  }

  /** Deletes the archives, and the folders that neither the programs nor `used` name. Does nothing while a folder is being built. */
  async prune(programs: MachinePrograms, used: readonly string[]): Promise<void> {
    if (this.building.size > 0) return;
    const pruning = this.removeOthers(programs, used);
    this.pruning = pruning.catch(() => undefined);
    await pruning;
  }

  private async removeOthers(programs: MachinePrograms, used: readonly string[]): Promise<void> {
    const { agent, embedded } = programs;
    const single = Object.values(programs).map((program: MachineProgram) => nameOf([program]));
    const usedNames = new Set([...used, ...single, ...(embedded ? [nameOf([agent, embedded])] : []), ARCHIVES]);
    for (const name of await readdir(this.directory).catch(() => []))
      if (!usedNames.has(name)) await rm(join(this.directory, name), { recursive: true, force: true });
    await this.store.prune([]);
  }

  /** Name of the folder with the files of all layers. The files of a later layer replace those of an earlier one. */
  private folderOf(layers: readonly MachineProgram[], signal: AbortSignal): Promise<string> {
    const name = nameOf(layers);
    const begun = this.building.get(name) ?? this.build(name, layers, signal).finally(() => this.building.delete(name));
    this.building.set(name, begun);
    return begun;
  }

  private async build(name: string, layers: readonly MachineProgram[], signal: AbortSignal): Promise<string> {
    const folder = join(this.directory, name);
    await this.pruning;
    if (await exists(folder)) return name;
    await mkdir(this.directory, { recursive: true });
    // The umask of the agent does not allow other users.
    await chmod(this.directory, 0o755);
    const work = await mkdtemp(join(this.directory, WORK));
    try {
      for (const layer of layers) await this.layOver(layer, work, signal);
      await openToAll(work);
      await rename(work, folder);
      await synced(this.directory);
      return name;
    } finally {
      await rm(work, { recursive: true, force: true, maxRetries: 10 });
    }
  }

  private async layOver({ sha256, entry }: MachineProgram, work: string, signal: AbortSignal): Promise<void> {
    try {
      await this.store.layOver({ sha256 }, work, entry, signal);
    } catch (error) {
      // The store moves the entry last.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      throw new ArtifactDamaged(`an artifact does not contain ${entry}`);
    }
  }
}

/** The sha256 of a single artifact, and otherwise a hash of all. */
function nameOf([first, ...others]: readonly MachineProgram[]): string {
  const hashes = [first, ...others].map((program) => program?.sha256 ?? '');
  return others.length === 0 ? hashes.join('') : createHash('sha256').update(hashes.join(' ')).digest('hex');
}

function required(program: MachineProgram | undefined, broker: BrokerDriver): MachineProgram {
  if (program !== undefined) return program;
  throw new NodeFailed(
    `The installation has no program of the broker ${broker} for the processor of this machine. Run "npm run artifacts" with it.`,
  );
}

/** The program of a broker. An artifact of iggy may have more programs beside it (scripts/artifacts/iggy-folder.mjs). */
async function binariesOf(broker: BrokerDriver, server: string): Promise<BrokerBinaries> {
  if (broker !== 'iggy') return { [broker]: server };
  const connectors = join(dirname(server), 'iggy-connectors');
  const libraries = join(dirname(server), 'libraries');
  return {
    iggy: server,
    ...((await exists(connectors)) && { iggy_connectors: connectors }),
    ...((await exists(libraries)) && { iggy_libraries: libraries }),
  };
}

/** A full disk and a damaged artifact need a person. Other errors pass on. */
function sentenceOf(error: unknown): unknown {
  if (error instanceof ArtifactDamaged) return new NodeFailed(`A program of the node is damaged: ${error.message}.`);
  const isFull = ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException | null)?.code ?? '');
  return isFull ? new NodeFailed('The disk of the machine is full: the programs of the node have no space.') : error;
}

async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const { mode } = await stat(path);
    const isProgram = entry.isDirectory() || (mode & 0o100) !== 0;
    await chmod(path, isProgram ? 0o755 : 0o644);
  }
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

export async function synced(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
