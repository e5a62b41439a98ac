import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConnectorInstanceId } from '@libs/domain';
import type { NodePlace } from '../node-place.js';

type Place = Pick<NodePlace, 'dir'>;

/** The files of a node's connectors, relative to the node's directory. */
export const CONNECTORS_FILES = {
  /** Contains secrets: 0600. */
  config: (place: Place) => join(place.dir, 'connectors.json'),
  log: (place: Place) => join(place.dir, 'connectors.log'),
  /** Progress of the connectors. */
  state: (place: Place) => join(place.dir, 'connectors'),
  /** One file per instance that ever ran on this node and is not cleaned up yet. */
  instance: (place: Place, instanceId: ConnectorInstanceId) =>
    join(CONNECTORS_FILES.state(place), `${instanceId}.json`),
  /** The last deliveries of a sink. */
  delivered: (place: Place, instanceId: ConnectorInstanceId) =>
    join(CONNECTORS_FILES.state(place), `${instanceId}.delivered`),
} as const;

/** Ids of the instances with files on this node. */
export async function keptInstances(place: Place): Promise<ConnectorInstanceId[]> {
  const names = await readdir(CONNECTORS_FILES.state(place)).catch(() => []);
  return names.flatMap((name) => (/^\d+\.json$/.test(name) ? [Number.parseInt(name, 10)] : []));
}
