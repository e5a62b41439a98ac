import { join } from 'node:path';
import { nodeMemory } from '@libs/domain/node-memory';
import type { NodeHome } from '../../control/node-home.js';

type HomeDirectory = Pick<NodeHome, 'dir'>;

/** The files of a node with iggy, relative to the node's directory. */
export const IGGY_FILES = {
  data: (home: HomeDirectory) => join(home.dir, 'data'),
  /** Contains no secret. */
  config: (home: HomeDirectory) => join(home.dir, 'iggy.toml'),
  /** Contains every secret: 0600. */
  environment: (home: HomeDirectory) => join(home.dir, 'iggy.env'),
  /** The process that the agent started last, see ServerRecord. */
  record: (home: HomeDirectory) => join(home.dir, 'iggy-process.json'),
  /** Hash of the configuration that was last started on an empty directory. */
  tried: (home: HomeDirectory) => join(home.dir, 'iggy-tried'),
  /** A configuration is started here on an empty directory before it is used. */
  trial: (home: HomeDirectory) => join(home.dir, 'iggy-trial'),
  /** In memory: the runtime files of an encrypted server, which contain its key. */
  memory: (home: HomeDirectory) => join(nodeMemory(home.dir), 'server'),
  trialMemory: (home: HomeDirectory) => join(nodeMemory(home.dir), 'trial'),
  /** What the server prints: faults of its start, and panics. */
  output: (home: HomeDirectory) => join(home.dir, 'broker.log'),
} as const;

/** Value of `system.runtime.path`. */
export const RUNTIME_PATH = 'runtime/server';

/** Files of the server itself, relative to its data directory. */
export const SERVER_FILES = {
  /** The server deletes and creates `server` in it at each start. Of an encrypted server a link into memory. */
  runtime: (data: string) => join(data, 'runtime'),
  /** The configuration that the server uses, with the ports that the system assigned. The server writes it when all are open. */
  reported: (data: string) => join(data, RUNTIME_PATH, 'current_config.toml'),
  /** Where the server looks for its configuration for a snapshot, whatever the path of its runtime files is. */
  shown: (data: string) => join(data, 'runtime', 'current_config.toml'),
  log: (data: string) => join(data, 'logs', 'iggy-server.log'),
  /** Directories that a copy of the data does not need. */
  left: ['runtime', 'logs'],
} as const;
