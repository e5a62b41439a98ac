import { DEFAULT_PAYLOADS } from '@libs/broker-config';
import type { ConnectorStream, NodeConnector, NodeConnectors } from '@libs/domain';

/** A connector in the format of the configuration provider of Apache Iggy's runtime. */
export interface IggyConnectorConfig {
  type: 'sink' | 'source';
  key: string;
  enabled: boolean;
  version: number;
  name: string;
  /** Name of the library. The runtime searches it in its library directories. */
  path: string;
  plugin_config_format: 'json';
  plugin_config: Record<string, unknown>;
  streams: Record<string, unknown>[];
  transforms: Record<string, unknown>;
}

/** By the keys of the instances. */
export interface IggyConnectorConfigs {
  sinks: Record<string, IggyConnectorConfig>;
  sources: Record<string, IggyConnectorConfig>;
}

/** The connectors of a node in the format of the runtime. Stopped connectors are included as disabled. */
export function iggyConnectorConfigs({ want, instances }: NodeConnectors): IggyConnectorConfigs {
  const of = (type: NodeConnector['type']): Record<string, IggyConnectorConfig> =>
    Object.fromEntries(
      instances
        .filter((instance) => instance.type === type)
        .map((instance) => [instance.key, configOf(instance, want === 'running')]),
    );
  return { sinks: of('sink'), sources: of('source') };
}

function configOf({ type, key, name, plugin, config }: NodeConnector, isWanted: boolean): IggyConnectorConfig {
  const { enabled, streams, plugin_config, transforms } = config.values;
  return {
    ...{ type, key, name, enabled: enabled && isWanted, version: config.version },
    path: `libiggy_connector_${plugin}_${type}`,
    plugin_config_format: 'json',
    plugin_config,
    streams: streams.map((stream) => (type === 'sink' ? consumed(stream) : produced(stream))),
    transforms,
  };
}

/** With the schema also where the values name none: the runtime ends when one stream of one connector has no schema. */
function consumed({
  stream,
  topics,
  schema = DEFAULT_PAYLOADS,
  batch_length,
  poll_interval,
  consumer_group,
}: ConnectorStream) {
  return { stream, topics, schema, ...given({ batch_length, poll_interval, consumer_group }) };
}

/** A source has one topic, and another option name for its linger time. */
function produced({ stream, topics, schema = DEFAULT_PAYLOADS, batch_length, linger_time }: ConnectorStream) {
  return { stream, topic: topics[0] ?? '', schema, ...given({ batch_length, linger_time }) };
}

const given = (values: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
