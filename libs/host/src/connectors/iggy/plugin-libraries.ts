import { readdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { NodeConnector } from '@libs/domain';

const LIBRARY = /^libiggy_connector_([a-z0-9_]+)_(source|sink)\.so$/;
/** These plugins have no address in their configuration. */
const WITHOUT_ADDRESS = ['source:random', 'sink:stdout'];

/** The plugins whose libraries are beside the program, as `type:key`, sorted. Empty without the folder. */
export async function pluginsBeside(program: string): Promise<string[]> {
  const names = await readdir(dirname(program)).catch(() => []);
  return names
    .flatMap((name) => {
      const [, key, type] = LIBRARY.exec(name) ?? [];
      return key === undefined ? [] : [`${type}:${key}`];
    })
    .sort();
}

export const pluginId = ({ type, plugin }: Pick<NodeConnector, 'type' | 'plugin'>): string => `${type}:${plugin}`;

/** The name of the library of a plugin, as the runtime wants it. */
export const libraryOf = ({ type, plugin }: Pick<NodeConnector, 'type' | 'plugin'>): string =>
  `libiggy_connector_${plugin}_${type}`;

/** The plugins beside the program that nodes may load, as `type:key`. */
export async function loadablePlugins(program: string, allowPrivate: boolean): Promise<string[]> {
  const there = await pluginsBeside(program);
  return there.filter((id) => allowPrivate || WITHOUT_ADDRESS.includes(id));
}

/**
 * Why the runtime must not load a connector. Null when it may. A missing library would end the whole runtime. Nothing keeps a plugin
 * from private addresses, so plugins with an address run only on machines where connectors may reach those.
 */
export function whyNotLoaded(connector: NodeConnector, there: readonly string[], allowPrivate: boolean): string | null {
  const id = pluginId(connector);
  if (!there.includes(id)) return `this node has no library ${libraryOf(connector)}.so`;
  if (allowPrivate || WITHOUT_ADDRESS.includes(id)) return null;
  return `the plugin ${id} cannot be kept from private addresses, and this installation does not allow them`;
}
