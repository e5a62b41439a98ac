import { join } from 'node:path';
import type { NodePlace } from '../node-place.js';

/** Where a node with iggy keeps its things, below the node's directory. */
export const IGGY_FILES = {
  data: (place: Pick<NodePlace, 'dir'>) => join(place.dir, 'data'),
  /** Holds no secret. */
  config: (place: Pick<NodePlace, 'dir'>) => join(place.dir, 'iggy.toml'),
  /** Holds every secret: 0600. */
  environment: (place: Pick<NodePlace, 'dir'>) => join(place.dir, 'iggy.env'),
} as const;
