import type { AgentRolloutId } from '@libs/domain';
import { RolloutCommands, type RolloutRequest } from '@libs/operator';
import { ago, fields, printList, say, type Output } from './print.js';
import { withSession } from './with-session.js';

const SHOWN = 20;

/** `landlord machines rollouts` */
export async function listRollouts(output: Output): Promise<void> {
  const rows = await withSession((session) => new RolloutCommands(session).list(SHOWN));
  printList(
    rows,
    {
      ...fields('id', 'cell'),
      program: (row) => row.sha256.slice(0, 12),
      state: (row) => row.state,
      asked: (row) => `${row.asked} of ${row.machines}`,
      'went back': (row) => row.refused,
      started: (row) => ago(row.started_at),
      ended: (row) => ago(row.ended_at),
      reason: (row) => row.reason,
    },
    output,
    'No roll-outs. The first one begins when the gateway has artifacts: npm run artifacts',
  );
}

/** `landlord machines rollout <program>` */
export async function beginRollout(request: RolloutRequest): Promise<void> {
  const id = await withSession((session) => new RolloutCommands(session).begin(request));
  say(`Roll-out ${id} begins with one machine. To look at it: landlord machines rollouts`);
}

/** `landlord machines stop-rollout <id>` */
export async function stopRollout(id: AgentRolloutId): Promise<void> {
  await withSession((session) => new RolloutCommands(session).stop(id));
  say(`Roll-out ${id} is stopped. Machines that have changed keep the program.`);
}
