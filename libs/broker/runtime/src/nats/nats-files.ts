import { join } from 'node:path';
import type { NodePlace } from '../node-place.js';

/** The files of a node with nats, relative to the node's directory. */
export const NATS_FILES = {
  data: (place: NodePlace) => join(place.dir, 'data'),
  config: (place: NodePlace) => join(place.dir, 'nats.conf'),
  /** A configuration that is about to be validated. */
  candidate: (place: NodePlace) => join(place.dir, 'nats-candidate.conf'),
  gateConfig: (place: NodePlace) => join(place.dir, 'gate.json'),
  /** nats-server stores here the private ports that the system assigned. */
  ports: (place: Pick<NodePlace, 'dir'>) => join(place.dir, 'nats-ports'),
  pid: (place: Pick<NodePlace, 'dir'>) => join(place.dir, 'nats.pid'),
  brokerLog: (place: NodePlace) => join(place.dir, 'broker.log'),
  gateLog: (place: NodePlace) => join(place.dir, 'gate.log'),
} as const;
