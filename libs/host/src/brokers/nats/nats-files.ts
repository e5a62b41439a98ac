import { join } from 'node:path';
import type { NodeHome } from '../../control/node-home.js';

/** The files of a node with nats, relative to the node's directory. */
export const NATS_FILES = {
  data: (home: NodeHome) => join(home.dir, 'data'),
  config: (home: NodeHome) => join(home.dir, 'nats.conf'),
  /** A configuration that is about to be validated. */
  candidate: (home: NodeHome) => join(home.dir, 'nats-candidate.conf'),
  /** nats-server stores here the private ports that the system assigned. */
  ports: (home: Pick<NodeHome, 'dir'>) => join(home.dir, 'nats-ports'),
  pid: (home: Pick<NodeHome, 'dir'>) => join(home.dir, 'nats.pid'),
  /** Only of an encrypted node, while nats-server starts. */
  streamKeys: (home: NodeHome) => join(home.dir, 'nats-stream-keys'),
  brokerLog: (home: NodeHome) => join(home.dir, 'broker.log'),
} as const;
