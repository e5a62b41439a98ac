import { isBuiltIn } from '../../../connectors/iggy/iggy-part.js';
import type { BrokerDriver, NodeConnector, NodeConnectors } from '@libs/domain';

/** A part of the connectors' program that is an artifact of its own. */
export interface ConnectorPart {
  /** Of the artifact. */
  name: string;
  /** The file that shows that the part is whole, relative to the folder of the program. */
  entry: string;
  /** For messages. */
  title: string;
}

/** Every connectors process opens the store of refused messages. A folder with the embedded broker already has this file. */
export const STORE: ConnectorPart = {
  name: 'connectors-store',
  entry: 'classic-level.node',
  title: 'the store of the connectors',
};

/** The part with the plugin of a connector. */
export function pluginOf({ type, plugin }: Pick<NodeConnector, 'type' | 'plugin'>): ConnectorPart {
  const file = `${plugin}-${type}`;
  return { name: `connector-${file}`, entry: `plugins/${file}.js`, title: `the ${type} ${plugin}` };
}

/** Whether the connectors process loads a plugin of Landlord for it. A disabled connector loads none. */
export const usesPlugin = (driver: BrokerDriver, connector: NodeConnector): boolean =>
  connector.config.values.enabled && isBuiltIn(driver, connector);

/** The parts that a connectors process with these connectors needs, each once. */
export function neededParts(driver: BrokerDriver, { instances }: NodeConnectors): ConnectorPart[] {
  const plugins = instances.filter((connector) => usesPlugin(driver, connector)).map(pluginOf);
  return [...new Map([STORE, ...plugins].map((part) => [part.name, part])).values()];
}
