import type { NodeId } from '@libs/domain';
import { nodeFlag } from '../control/node-home.js';
import { endProcesses } from '../os/end-processes.js';
import { pidsWith } from '../os/process-table.js';

/** Time between SIGTERM and SIGKILL, in milliseconds. */
const GRACE_MS = 1_500;

/** The node of an installation, whose processes have a flag in their argv. */
export interface NodeName {
  installation: string;
  nodeId: NodeId;
}

/** Pids of the node's processes: its agent, and all processes that the agent has started. */
export const pidsOfNode = (node: NodeName): Promise<number[]> => pidsWith({ flags: [nodeFlag(node)] });

/** Ends the node's processes that have all these arguments too. @throws HostError when processes remain */
export function endNodeProcesses(node: NodeName, argv: string[] = [], signal?: AbortSignal): Promise<void> {
  return endProcesses({ flags: [...argv, nodeFlag(node)] }, { graceMs: GRACE_MS, signal });
}
