import type { NodeConnector } from '@libs/domain';
import { ConnectorFault } from '../delivery/connector-fault.js';
import { PluginOptions } from './plugin-options.js';
import type { PluginContext, SinkPlugin, SourcePlugin } from './plugin.js';

type Make<T> = (options: PluginOptions, context: PluginContext) => T;

/** Loads a plugin on first use, because an unused HTTP client would cost memory on every node. */
const SINKS: Record<string, () => Promise<Make<SinkPlugin>>> = {
  stdout: async () => {
    const { StdoutSink } = await import('./stdout-sink.js');
    return (options, context) => new StdoutSink(options, context);
  },
  http: async () => {
    const { HttpSink } = await import('./http-sink.js');
    return (options, context) => new HttpSink(options, context);
  },
};
const SOURCES: Record<string, () => Promise<Make<SourcePlugin>>> = {
  random: async () => {
    const { RandomSource } = await import('./random-source.js');
    return (options) => new RandomSource(options);
  },
};

/** @throws ConnectorFault for an unknown plugin, and for unusable options */
export function sinkOf(connector: NodeConnector, context: PluginContext): Promise<SinkPlugin> {
  return madeOf(SINKS, connector, context);
}

/** @throws ConnectorFault like `sinkOf` */
export function sourceOf(connector: NodeConnector, context: PluginContext): Promise<SourcePlugin> {
  return madeOf(SOURCES, connector, context);
}

async function madeOf<T>(
  plugins: Record<string, () => Promise<Make<T>>>,
  { type, plugin, config }: NodeConnector,
  context: PluginContext,
): Promise<T> {
  const load = Object.hasOwn(plugins, plugin) ? plugins[plugin] : undefined;
  if (!load) throw new ConnectorFault(`this broker does not support the ${type} ${plugin}`);
  return (await load())(new PluginOptions(config.values.plugin_config), context);
}
