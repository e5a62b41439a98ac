import { join } from 'node:path';

/** Where a node lives on this machine and what it is called. */
export interface NodePlace {
  /** Absolute path of the node's directory. */
  dir: string;
  /** Names the installation of Landlord, so that two of them can share a machine. */
  installation: string;
  nodeId: number;
}

/** The copy that a freeze makes: always here, so that nobody can tell a process to write anywhere else. */
export const frozenDirectory = ({ dir }: Pick<NodePlace, 'dir'>): string => join(dir, 'frozen');

/** The flag in the argv of every process of a node, by which the node's destruction finds them. */
export function nodeFlag(place: Pick<NodePlace, 'installation' | 'nodeId'>): string {
  return `--landlord-node=${place.installation}/${place.nodeId}`;
}
