import { cp, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { UNPACKING } from '../../artifacts/artifact-store.js';
import { filesUnder, synced } from '../../artifacts/durable-files.js';
import { STORE, type ConnectorPart } from './connector-parts.js';

const MAIN = 'connectors.main.js';
const ARCHIVES = 'archives';
/** Folders of unfinished copies start with it. */
const COPYING = '.copy-';

/** A folder from which a connectors process can start. */
export interface ConnectorFolder {
  /** Absolute path of the file that starts. */
  entry: string;
  missing: readonly ConnectorPart[];
}

/**
 * The folders with the program of the connectors, one for each agent: a copy of the files of the agent, and the parts that lie over
 * them. The agent's own folder belongs to the machine, and a node must not change files that other nodes run.
 */
export class ConnectorFolders {
  constructor(
    private readonly directory: string,
    /** The folder of the agent's own files. */
    private readonly agentFolder: string,
    /** SHA-256 of the artifact of the agent. */
    private readonly agent: string,
  ) {}

  get archives(): string {
    return join(this.directory, ARCHIVES);
  }

  /** The folder for this agent. It may not exist. */
  get own(): string {
    return join(this.directory, this.agent);
  }

  /** Copies the files of the agent, unless this was done. The folder appears whole. Deletes the rest of an interrupted unpacking. */
  async ensureOwn(): Promise<void> {
    if (await exists(this.own)) return this.removeUnfinished(this.own, UNPACKING);
    await mkdir(this.directory, { recursive: true, mode: 0o700 });
    await this.removeUnfinished(this.directory, COPYING);
    const work = await mkdtemp(join(this.directory, COPYING));
    try {
      await cp(this.agentFolder, work, { recursive: true });
      for (const file of await filesUnder(work)) await synced(join(work, file));
      await rename(work, this.own);
      await synced(this.directory);
    } finally {
      await rm(work, { recursive: true, force: true });
    }
  }

  /** The parts that the folder for this agent lacks. */
  missing(parts: readonly ConnectorPart[]): Promise<ConnectorPart[]> {
    return missingIn(this.own, parts);
  }

  /**
   * The folder with most of the parts. After a change of the agent, the connectors continue with the folder for the earlier agent until
   * the new one has as many parts. Null: no folder is complete enough to start.
   */
  async choose(parts: readonly ConnectorPart[]): Promise<ConnectorFolder | null> {
    const names = (await readdir(this.directory).catch(() => [])).filter((name) => /^[0-9a-f]{64}$/.test(name));
    const folders = [
      this.own,
      ...names.filter((name) => name !== this.agent).map((name) => join(this.directory, name)),
    ];
    let best: ConnectorFolder | null = null;
    for (const folder of folders) {
      const missing = await missingIn(folder, parts);
      if (missing.includes(STORE)) continue;
      if (best === null || missing.length < best.missing.length) best = { entry: join(folder, MAIN), missing };
    }
    return best;
  }

  /** Deletes the folders for other agents, if `entry` is in the folder for this one. */
  async removeOthers(entry: string): Promise<void> {
    if (entry !== join(this.own, MAIN)) return;
    const usedNames = [this.agent, ARCHIVES];
    for (const name of await readdir(this.directory))
      if (!usedNames.includes(name) && !name.startsWith(COPYING))
        await rm(join(this.directory, name), { recursive: true, force: true });
  }

  private async removeUnfinished(folder: string, prefix: string): Promise<void> {
    for (const name of await readdir(folder))
      if (name.startsWith(prefix)) await rm(join(folder, name), { recursive: true, force: true });
  }
}

async function missingIn(folder: string, parts: readonly ConnectorPart[]): Promise<ConnectorPart[]> {
  const existing = await Promise.all(parts.map(({ entry }) => exists(join(folder, entry))));
  return parts.filter((_, index) => !existing[index]);
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
