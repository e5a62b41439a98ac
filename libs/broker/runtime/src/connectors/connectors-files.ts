import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { NodePlace } from '../node-place.js';

type Place = Pick<NodePlace, 'dir'>;

/** Where the connectors of a node keep their things, below the node's directory. */
export const CONNECTORS_FILES = {
  /** Holds secrets: 0600. */
  config: (place: Place) => join(place.dir, 'connectors.json'),
  log: (place: Place) => join(place.dir, 'connectors.log'),
  /** How far each connector has come. */
  state: (place: Place) => join(place.dir, 'connectors'),
  /** One for each instance that ever ran here and was not yet forgotten. */
  instance: (place: Place, instanceId: number) => join(CONNECTORS_FILES.state(place), `${instanceId}.json`),
  /** What a sink has delivered last. */
  delivered: (place: Place, instanceId: number) => join(CONNECTORS_FILES.state(place), `${instanceId}.delivered`),
} as const;

/** Ids of the instances that have left something here. */
export async function keptInstances(place: Place): Promise<number[]> {
  const names = await readdir(CONNECTORS_FILES.state(place)).catch(() => []);
  return names.flatMap((name) => (/^\d+\.json$/.test(name) ? [Number.parseInt(name, 10)] : []));
}
