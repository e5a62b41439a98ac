import type { BrokerDriver, ConnectorType } from '@libs/domain';
import { compareReleases } from '../compare-releases.js';
import { BUILT_IN_PLUGINS } from './built-in-plugins.js';
import { HTTP_SINK, RANDOM_SOURCE, STDOUT_SINK } from './basic-plugins.js';
import { baseSettings, streamSettings, transformsOf } from './connector-base.js';
import { growing, type ConnectorSettings } from './connector-setting.js';
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
  /** What runs the connector on the nodes of the deployment. */
  runtime: ConnectorRuntime;
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

/** The library of Apache Iggy's connectors runtime. */
interface Library {
  version: string;
  /** Release 0.8 of Apache Iggy has it. Otherwise a later release has, which Landlord has no proofs for. */
  isIn08: boolean;
}

type Entry = Pick<ConnectorPlugin, 'type' | 'key' | 'name' | 'description' | 'settings'> & { library: Library };

const IN_08: Library = { version: '0.4.0', isIn08: true };
const later = (version = '0.5.0-edge.4'): Library => ({ version, isIn08: false });
const NEWER = '0.2.0-edge.4';

const entry = (
  [type, key, name]: [ConnectorType, string, string],
  description: string,
  settings: ConnectorSettings,
  library: Library,
): Entry => ({ type, key, name, description, settings, library });

const ENTRIES: readonly Entry[] = [
  entry(['source', 'random', 'Random messages'], 'Makes messages up, for trials.', RANDOM_SOURCE, IN_08),
  entry(['source', 'postgres', 'PostgreSQL'], 'Takes new rows, or follows changes, of tables.', POSTGRES_SOURCE, IN_08),
  entry(['source', 'elasticsearch', 'Elasticsearch'], 'Takes new documents of an index.', ELASTICSEARCH_SOURCE, IN_08),
  entry(['source', 'influxdb', 'InfluxDB'], 'Takes new points of a query.', INFLUXDB_SOURCE, IN_08),
  entry(['sink', 'stdout', 'Log'], 'Writes messages to the log of the connectors.', STDOUT_SINK, IN_08),
  entry(['sink', 'http', 'HTTP'], 'Sends messages to a service of yours.', HTTP_SINK, IN_08),
  entry(['sink', 'postgres', 'PostgreSQL'], 'Adds messages to a table.', POSTGRES_SINK, IN_08),
  entry(['sink', 'mongodb', 'MongoDB'], 'Adds messages to a collection.', MONGODB_SINK, IN_08),
  entry(['sink', 'elasticsearch', 'Elasticsearch'], 'Adds messages to an index.', ELASTICSEARCH_SINK, IN_08),
  entry(['sink', 'quickwit', 'Quickwit'], 'Adds messages to an index.', QUICKWIT_SINK, IN_08),
  entry(['sink', 'iceberg', 'Apache Iceberg'], 'Adds messages to tables of a lake.', ICEBERG_SINK, IN_08),
  entry(['sink', 'influxdb', 'InfluxDB'], 'Writes messages as points.', INFLUXDB_SINK, IN_08),
  entry(['sink', 'clickhouse', 'ClickHouse'], 'Adds messages to a table.', CLICKHOUSE_SINK, later(NEWER)),
  entry(['sink', 'delta', 'Delta Lake'], 'Adds messages to a table of a lake.', DELTA_SINK, later(NEWER)),
  entry(['sink', 'doris', 'Apache Doris'], 'Adds messages to a table.', DORIS_SINK, later(NEWER)),
  entry(['sink', 'meilisearch', 'Meilisearch'], 'Adds messages to an index.', MEILISEARCH_SINK, later()),
  entry(['sink', 's3', 'S3'], 'Puts messages into files of a bucket.', S3_SINK, later()),
  entry(['sink', 'surrealdb', 'SurrealDB'], 'Adds messages to a table.', SURREALDB_SINK, later()),
];

const BASIC = ['source:random', 'sink:stdout', 'sink:http'];
/** Version of the plugins that are built into the connectors process of every node. */
export const BUILT_IN_VERSION = '1.1.0';

/** The broker of the nodes that a catalogue is for. */
export interface CatalogueNodes {
  driver: BrokerDriver;
  release: string;
  /** The libraries of iggy-connectors on nodes with iggy, as `type:key`. Absent: there are none. */
  libraries?: readonly string[];
}

/** The whole catalogue for these nodes. Its order is stable. */
export function connectorCatalogue(nodes: CatalogueNodes): ConnectorPlugin[] {
  return ENTRIES.map(({ library, ...plugin }) => {
    const id = `${plugin.type}:${plugin.key}`;
    const runtime = runtimeOf(nodes, plugin);
    // Landlord's connectors process takes the same values on the nodes of every broker.
    const driver = runtime === 'plugin' ? 'iggy' : 'embedded';
    const builtIn = runtime === 'landlord' ? BUILT_IN_PLUGINS[id] : undefined;
    return {
      ...{ ...plugin, runtime, isBasic: BASIC.includes(id), transforms: transformsOf(driver) },
      ...{ base: baseSettings(driver, plugin.type), streams: streamSettings(driver, plugin.type) },
      ...{ settings: builtIn ?? (runtime === 'plugin' ? ofLibrary(id, plugin.settings) : plugin.settings) },
      ...edition(nodes, id, runtime, library),
    };
  });
}

/** One plugin. Null when the catalogue has none with this type and key. */
export const connectorPlugin = (nodes: CatalogueNodes, type: string, key: string): ConnectorPlugin | null =>
  connectorCatalogue(nodes).find((plugin) => plugin.type === type && plugin.key === key) ?? null;

/** Whether a configuration for this version of a connector fits the nodes. Nodes with iggy can have both kinds of one connector. */
export function isInstalledVersion(nodes: CatalogueNodes, type: string, key: string, version: string): boolean {
  const entry = ENTRIES.find((one) => one.type === type && one.key === key);
  if (entry === undefined) return version === nodes.release;
  const isBuiltIn = BUILT_IN_PLUGINS[`${type}:${key}`] !== undefined;
  if (nodes.driver === 'iggy' && version === entry.library.version) return true;
  return version === (isBuiltIn ? BUILT_IN_VERSION : entry.library.version);
}

/**
 * A library runs what it can, except what Landlord can and sends to an address: iggy-connectors loses messages that a destination does
 * not take, and nothing keeps it from private addresses.
 */
function runtimeOf(
  { driver, libraries = [] }: CatalogueNodes,
  { type, key, settings }: Pick<Entry, 'type' | 'key' | 'settings'>,
): ConnectorRuntime {
  if (driver !== 'iggy') return 'landlord';
  const id = `${type}:${key}`;
  const sends = Object.values(settings).some(({ isAddress, secret }) => isAddress === true || secret);
  const builtIn = BUILT_IN_PLUGINS[id] !== undefined;
  return builtIn && (sends || !libraries.includes(id)) ? 'landlord' : 'plugin';
}

/** The real source panics on an empty range, because it excludes the end. */
const ofLibrary = (id: string, settings: ConnectorSettings): ConnectorSettings =>
  id === 'source:random' ? { ...settings, messages_range: growing(settings['messages_range']) } : settings;

function edition(
  { driver, release, libraries = [] }: CatalogueNodes,
  id: string,
  runtime: ConnectorRuntime,
  { version, isIn08 }: Library,
): Pick<ConnectorPlugin, 'version' | 'available' | 'unavailableReason'> {
  if (runtime === 'landlord' && BUILT_IN_PLUGINS[id] !== undefined)
    return { version: BUILT_IN_VERSION, available: true, unavailableReason: null };
  if (driver !== 'iggy')
    return {
      ...{ version, available: false },
      unavailableReason: `Nodes with the broker ${driver} do not contain this connector.`,
    };
  if (libraries.includes(id)) return { version, available: true, unavailableReason: null };
  return {
    ...{ version, available: false },
    unavailableReason: isIn08
      ? 'The nodes do not have the library of this connector.'
      : `Release ${release} of the broker does not contain this connector.`,
  };
}

/** Which program of a node runs a connector: iggy-connectors with the library of its plugin, or Landlord's connectors process. */
export const CONNECTOR_RUNTIMES = ['plugin', 'landlord'] as const;
export type ConnectorRuntime = (typeof CONNECTOR_RUNTIMES)[number];

/**
 * Whether iggy-connectors runs an instance that was activated with this version of its plugin. Built-in plugins have version 1 or
 * later. The libraries of Apache Iggy have versions below 1.
 */
export const runsAsPlugin = (driver: BrokerDriver, pluginVersion: string): boolean =>
  driver === 'iggy' && compareReleases(pluginVersion, '1') < 0;
