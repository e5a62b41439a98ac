import type { BrokerDriver, ConnectorType } from '@libs/domain';
import { compareReleases } from '../compare-releases.js';
import { BUILT_IN_PLUGINS } from './built-in-plugins.js';
import { HTTP_SINK, RANDOM_SOURCE, STDOUT_SINK } from './basic-plugins.js';
import { baseSettings, streamSettings, transformsOf } from './connector-base.js';
import type { ConnectorSettings } from './connector-setting.js';
import {
  CLICKHOUSE_SINK,
  DORIS_SINK,
  INFLUXDB_SINK,
  MONGODB_SINK,
  POSTGRES_SINK,
  SURREALDB_SINK,
} from './database-sinks.js';
import { DELTA_SINK, ICEBERG_SINK, S3_SINK } from './lake-sinks.js';
import { ELASTICSEARCH_SINK, MEILISEARCH_SINK, QUICKWIT_SINK } from './search-sinks.js';
import { ELASTICSEARCH_SOURCE, INFLUXDB_SOURCE, POSTGRES_SOURCE } from './service-sources.js';

/** A plugin, as available or missing on the nodes of one deployment. */
export interface ConnectorPlugin {
  type: ConnectorType;
  /** Unique within its type. */
  key: string;
  name: string;
  description: string;
  /** SemVer. */
  version: string;
  /** Whether the nodes of the deployment have the plugin. */
  available: boolean;
  /** Why the nodes do not have the plugin. Null when they have it. */
  unavailableReason: string | null;
  /** Every plan includes it. Other plugins need advanced connectors. */
  isBasic: boolean;
  /** Names of the transforms that the nodes support. */
  transforms: readonly string[];
  /** Top-level keys of a configuration, next to `streams` and `plugin_config`. */
  base: ConnectorSettings;
  /** Keys of an entry of `streams`. */
  streams: ConnectorSettings;
  settings: ConnectorSettings;
}

/** The libraries of Apache Iggy's connectors: in releases from 0.9 on, and in 0.8. */
interface Library {
  version: string;
  /** Whether the release contains the file. A missing file would need a build. */
  isShipped: boolean;
  versionIn08: string | null;
}

type Entry = Pick<ConnectorPlugin, 'type' | 'key' | 'name' | 'description' | 'settings'> & { library: Library };

const NEW = '0.5.0-edge.4';
const NEWER = '0.2.0-edge.4';
const OLD = '0.4.0';
const shipped = (versionIn08: string | null = OLD): Library => ({ version: NEW, isShipped: true, versionIn08 });
const unshipped = (version = NEW, versionIn08: string | null = null): Library => ({
  version,
  isShipped: false,
  versionIn08,
});

const entry = (
  [type, key, name]: [ConnectorType, string, string],
  description: string,
  settings: ConnectorSettings,
  library: Library,
): Entry => ({ type, key, name, description, settings, library });

const ENTRIES: readonly Entry[] = [
  entry(['source', 'random', 'Random messages'], 'Makes messages up, for trials.', RANDOM_SOURCE, shipped()),
  entry(
    ['source', 'postgres', 'PostgreSQL'],
    'Takes new rows, or follows changes, of tables.',
    POSTGRES_SOURCE,
    shipped(),
  ),
  entry(
    ['source', 'elasticsearch', 'Elasticsearch'],
    'Takes new documents of an index.',
    ELASTICSEARCH_SOURCE,
    shipped(),
  ),
  entry(['source', 'influxdb', 'InfluxDB'], 'Takes new points of a query.', INFLUXDB_SOURCE, unshipped(NEW, OLD)),
  entry(['sink', 'stdout', 'Log'], 'Writes messages to the log of the connectors.', STDOUT_SINK, shipped()),
  entry(['sink', 'http', 'HTTP'], 'Sends messages to a service of yours.', HTTP_SINK, unshipped(NEW, OLD)),
  entry(['sink', 'postgres', 'PostgreSQL'], 'Adds messages to a table.', POSTGRES_SINK, shipped()),
  entry(['sink', 'mongodb', 'MongoDB'], 'Adds messages to a collection.', MONGODB_SINK, unshipped(NEW, OLD)),
  entry(['sink', 'elasticsearch', 'Elasticsearch'], 'Adds messages to an index.', ELASTICSEARCH_SINK, shipped()),
  entry(['sink', 'quickwit', 'Quickwit'], 'Adds messages to an index.', QUICKWIT_SINK, shipped()),
  entry(['sink', 'iceberg', 'Apache Iceberg'], 'Adds messages to tables of a lake.', ICEBERG_SINK, shipped()),
  entry(['sink', 'influxdb', 'InfluxDB'], 'Writes messages as points.', INFLUXDB_SINK, unshipped(NEW, OLD)),
  entry(['sink', 'clickhouse', 'ClickHouse'], 'Adds messages to a table.', CLICKHOUSE_SINK, unshipped(NEWER)),
  entry(['sink', 'delta', 'Delta Lake'], 'Adds messages to a table of a lake.', DELTA_SINK, unshipped(NEWER)),
  entry(['sink', 'doris', 'Apache Doris'], 'Adds messages to a table.', DORIS_SINK, unshipped(NEWER)),
  entry(['sink', 'meilisearch', 'Meilisearch'], 'Adds messages to an index.', MEILISEARCH_SINK, unshipped()),
  entry(['sink', 's3', 'S3'], 'Puts messages into files of a bucket.', S3_SINK, shipped(null)),
  entry(['sink', 'surrealdb', 'SurrealDB'], 'Adds messages to a table.', SURREALDB_SINK, shipped(null)),
];

const BASIC = ['source:random', 'sink:stdout', 'sink:http'];
/** Version of the plugins that are built into embedded and nats nodes. */
export const BUILT_IN_VERSION = '1.1.0';

/** The whole catalogue for nodes with this broker. Its order is stable. */
export function connectorCatalogue(driver: BrokerDriver, release: string): ConnectorPlugin[] {
  return ENTRIES.map(({ library, ...plugin }) => {
    const id = `${plugin.type}:${plugin.key}`;
    const builtIn = driver === 'iggy' ? undefined : BUILT_IN_PLUGINS[id];
    return {
      ...{ ...plugin, isBasic: BASIC.includes(id), transforms: transformsOf(driver) },
      ...{ base: baseSettings(driver, plugin.type), streams: streamSettings(driver, plugin.type) },
      ...{ settings: builtIn ?? plugin.settings },
      ...edition(driver, release, library, builtIn !== undefined),
    };
  });
}

/** One plugin. Null when the catalogue has none with this type and key. */
export const connectorPlugin = (
  driver: BrokerDriver,
  release: string,
  type: string,
  key: string,
): ConnectorPlugin | null =>
  connectorCatalogue(driver, release).find((plugin) => plugin.type === type && plugin.key === key) ?? null;

/** Embedded and nats nodes have some plugins built in. Nodes of Apache Iggy have the plugins of their release. */
function edition(
  driver: BrokerDriver,
  release: string,
  { version, isShipped, versionIn08 }: Library,
  isBuiltIn: boolean,
): Pick<ConnectorPlugin, 'version' | 'available' | 'unavailableReason'> {
  if (driver !== 'iggy')
    return isBuiltIn
      ? { version: BUILT_IN_VERSION, available: true, unavailableReason: null }
      : {
          version,
          available: false,
          unavailableReason: `Nodes with the broker ${driver} do not contain this connector.`,
        };
  const isNew = compareReleases(release, '0.9') >= 0;
  const available = isNew ? isShipped : versionIn08 !== null;
  return {
    version: isNew ? version : (versionIn08 ?? version),
    ...{
      available,
      unavailableReason: available ? null : `Release ${release} of the broker does not contain this connector.`,
    },
  };
}

/** Which program of a node runs a connector: iggy-connectors with the library of its plugin, or Landlord's connectors process. */
export type ConnectorRuntime = 'plugin' | 'landlord';

/**
 * Whether iggy-connectors runs an instance that was activated with this version of its plugin. Built-in plugins have version 1 or
 * later. The libraries of Apache Iggy have versions below 1.
 */
export const runsAsPlugin = (driver: BrokerDriver, pluginVersion: string): boolean =>
  driver === 'iggy' && compareReleases(pluginVersion, '1') < 0;
