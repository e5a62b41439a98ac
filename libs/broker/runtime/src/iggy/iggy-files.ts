import { join } from 'node:path';
import type { NodeHome } from '../node-home.js';

/** The files of a node with iggy, relative to the node's directory. */
export const IGGY_FILES = {
  data: (home: Pick<NodeHome, 'dir'>) => join(home.dir, 'data'),
  /** Contains no secret. */
  config: (home: Pick<NodeHome, 'dir'>) => join(home.dir, 'iggy.toml'),
  /** Contains every secret: 0600. */
  environment: (home: Pick<NodeHome, 'dir'>) => join(home.dir, 'iggy.env'),
} as const;
