import { join } from 'node:path';
import type { NodeId } from '@libs/domain';

/** The directory and the names of a node on this machine. */
export interface NodeHome {
  /** Absolute path of the node's directory. */
  dir: string;
  /** The name of the Landlord installation, so that two installations can share a machine. */
  installation: string;
  nodeId: NodeId;
}

/** The target of a freeze. It is fixed, so that no request can make a process write elsewhere. */
export const frozenDirectory = ({ dir }: Pick<NodeHome, 'dir'>): string => join(dir, 'frozen');

/** The flag in the argv of every process of a node. The deletion of the node finds them by it. */
export function nodeFlag(home: Pick<NodeHome, 'installation' | 'nodeId'>): string {
  return `--landlord-node=${home.installation}/${home.nodeId}`;
}

/** The name of a node's iggy-connectors in the list of processes. It refuses unknown arguments, so it is found by its name. */
export const pluginsName = (home: Pick<NodeHome, 'installation' | 'nodeId'>): string => `${nodeFlag(home)}/connectors`;
