import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConnectorInstanceId } from '@libs/domain';
import type { NodeHome } from '../control/node-home.js';

type HomeDirectory = Pick<NodeHome, 'dir'>;

/** The files of a node's connectors, relative to the node's directory. */
export const CONNECTORS_FILES = {
  /** Contains secrets: 0600. */
  config: (home: HomeDirectory) => join(home.dir, 'connectors.json'),
  log: (home: HomeDirectory) => join(home.dir, 'connectors.log'),
  /** Progress of the connectors. */
  state: (home: HomeDirectory) => join(home.dir, 'connectors'),
  /** One file per instance that ever ran on this node and is not cleaned up yet. */
  instance: (home: HomeDirectory, instanceId: ConnectorInstanceId) =>
    join(CONNECTORS_FILES.state(home), `${instanceId}.json`),
  /** The last deliveries of a sink. */
  delivered: (home: HomeDirectory, instanceId: ConnectorInstanceId) =>
    join(CONNECTORS_FILES.state(home), `${instanceId}.delivered`),
  /** The token of the connectors at an iggy-server: 0600, and not in the data directory, so in no backup. */
  token: (home: HomeDirectory) => join(home.dir, 'connectors-token'),
  /** The configuration of iggy-connectors, with keys: 0600. */
  pluginsConfig: (home: HomeDirectory) => join(home.dir, 'connectors-plugins.toml'),
  pluginsEnvironment: (home: HomeDirectory) => join(home.dir, 'connectors-plugins.env'),
  /** Progress of the plugins of iggy-connectors. */
  pluginsState: (home: HomeDirectory) => join(CONNECTORS_FILES.state(home), 'plugins'),
  /** Numbers of messages that plugins have moved. */
  pluginsCounts: (home: HomeDirectory) => join(CONNECTORS_FILES.state(home), 'plugins.json'),
  /** Refused messages of all sinks: a LevelDB directory, so that 10,000 of them need no memory. */
  deadLetters: (home: HomeDirectory) => join(CONNECTORS_FILES.state(home), 'dead-letters'),
} as const;

/** Ids of the instances with files on this node. */
export async function keptInstances(home: HomeDirectory): Promise<ConnectorInstanceId[]> {
  const names = await readdir(CONNECTORS_FILES.state(home)).catch(() => []);
  return names.flatMap((name) => (/^\d+\.json$/.test(name) ? [Number.parseInt(name, 10)] : []));
}
