import { join } from 'node:path';
import type { NodePlace } from '../node-place.js';

/** The files of a node with iggy, relative to the node's directory. */
export const IGGY_FILES = {
  data: (place: Pick<NodePlace, 'dir'>) => join(place.dir, 'data'),
  /** Contains no secret. */
  config: (place: Pick<NodePlace, 'dir'>) => join(place.dir, 'iggy.toml'),
  /** Contains every secret: 0600. */
  environment: (place: Pick<NodePlace, 'dir'>) => join(place.dir, 'iggy.env'),
} as const;
