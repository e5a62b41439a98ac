import type { NodeConnector } from '@libs/domain';
import { ConnectorFault } from '../delivery/connector-fault.js';
import { PluginOptions } from './plugin-options.js';
import type { PluginContext, SinkPlugin, SourcePlugin } from './plugin.js';

type Plugin<T> = new (options: PluginOptions, context: PluginContext) => T;
type Plugins<T> = Record<string, () => Promise<Plugin<T>>>;

/** Loads a plugin on first use, because an unused client would cost memory on every node. */
const SINKS: Plugins<SinkPlugin> = {
  stdout: async () => (await import('./stdout-sink.js')).StdoutSink,
  http: async () => (await import('./http/http-sink.js')).HttpSink,
  postgres: async () => (await import('./database/postgres-sink.js')).PostgresSink,
  clickhouse: async () => (await import('./database/clickhouse-sink.js')).ClickhouseSink,
  influxdb: async () => (await import('./database/influxdb-sink.js')).InfluxdbSink,
  mongodb: async () => (await import('./mongodb/mongodb-sink.js')).MongodbSink,
  s3: async () => (await import('./s3/s3-sink.js')).S3Sink,
  elasticsearch: async () => (await import('./search/elasticsearch-sink.js')).ElasticsearchSink,
  meilisearch: async () => (await import('./search/meilisearch-sink.js')).MeilisearchSink,
  quickwit: async () => (await import('./search/quickwit-sink.js')).QuickwitSink,
};
const SOURCES: Plugins<SourcePlugin> = {
  random: async () => (await import('./random-source.js')).RandomSource,
  postgres: async () => (await import('./database/postgres-source.js')).PostgresSource,
};

/** The plugins that nodes with an embedded or nats broker have, for a comparison with the catalogue. */
export const BUILT_IN_KEYS = { sink: Object.keys(SINKS), source: Object.keys(SOURCES) };

/** @throws ConnectorFault for an unknown plugin, and for unusable options */
export function sinkOf(connector: NodeConnector, context: PluginContext): Promise<SinkPlugin> {
  return madeOf(SINKS, connector, context);
}

/** @throws ConnectorFault like `sinkOf` */
export function sourceOf(connector: NodeConnector, context: PluginContext): Promise<SourcePlugin> {
  return madeOf(SOURCES, connector, context);
}

async function madeOf<T>(
  plugins: Plugins<T>,
  { type, plugin, config }: NodeConnector,
  context: PluginContext,
): Promise<T> {
  const load = Object.hasOwn(plugins, plugin) ? plugins[plugin] : undefined;
  if (!load) throw new ConnectorFault(`this broker does not support the ${type} ${plugin}`);
  const Made = await load();
  return new Made(new PluginOptions(config.values.plugin_config), context);
}
