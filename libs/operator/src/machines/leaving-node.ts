import { noCapacityElsewhere } from '@libs/domain';
import type { MachineMovesRepository } from '@libs/persistence/runtime';
import type { NodeOnMachine } from './machine-rows.js';

/** A node of a draining machine. */
export interface LeavingNode extends NodeOnMachine {
  /** Why the node stays for now. Null: the Supervisor moves it next, or the machine is deleting it. */
  stays_because: string | null;
}

/** Adds why the node stays for now. `zone`: the zone of its machine. */
export async function leavingNode(
  node: NodeOnMachine,
  zone: string,
  moves: MachineMovesRepository,
): Promise<LeavingNode> {
  if (node.intent === 'absent' || node.obstacle !== null) return { ...node, stays_because: node.obstacle };
  const shortage = await moves.shortageElsewhere(node.node_id);
  return { ...node, stays_because: shortage === null ? null : noCapacityElsewhere(shortage, zone) };
}
