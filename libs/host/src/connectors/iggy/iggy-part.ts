import type { BrokerDriver, NodeConnector, NodeSpec } from '@libs/domain';
import { runsAsPlugin } from '@libs/broker-config';
import { connectorsAccount, rootAccount } from '../../brokers/iggy/gate/iggy-accounts.js';
import type { IggyAccounts } from './iggy-access.js';

/** The programs that connectors of a node with iggy may use. */
export interface IggyConnectorPrograms {
  iggy_connectors?: string;
  iggy_libraries?: string;
}

/** iggy-connectors on a machine. Its plugins are in the same folder. */
export interface RuntimeProgram {
  /** Absolute. */
  path: string;
  /** Folders of shared libraries in the form of LD_LIBRARY_PATH. Absent: those of the system. */
  libraries?: string | undefined;
}

/** What the connectors process of a node with iggy needs more than that of other nodes. */
export interface IggyPart {
  accounts: IggyAccounts;
  /** Null on a machine without iggy-connectors. */
  program: RuntimeProgram | null;
}

/** Undefined for nodes with another broker, whose configuration stays as it was. */
export function iggyPart(
  { broker, cluster }: Pick<NodeSpec, 'broker' | 'cluster'>,
  { iggy_connectors: path, iggy_libraries: libraries }: IggyConnectorPrograms,
): IggyPart | undefined {
  if (broker.driver !== 'iggy') return undefined;
  const accounts = { root: rootAccount(cluster.secret), connectors: connectorsAccount(cluster.secret) };
  return { accounts, program: path === undefined ? null : { path, libraries } };
}

/** The connectors that iggy-connectors runs. All others run in the connectors process itself. */
export const isPlugin = ({ plugin_version: version }: NodeConnector): boolean => runsAsPlugin('iggy', version);

/** Whether the connectors process of a node with this broker runs the connector itself, with a plugin of Landlord. */
export const isBuiltIn = (driver: BrokerDriver, connector: NodeConnector): boolean =>
  driver !== 'iggy' || !isPlugin(connector);
