import { DestructionHold } from '@libs/operator';
import { printList, say, type Output } from './print.js';
import { withSession } from './with-session.js';

/** `landlord ops resume-destruction`: ends the hold after a restore. With `--list` only lists the waiting operations. */
export async function resumeDestruction(options: Output & { list?: boolean }): Promise<void> {
  const { since, waiting } = await withSession(async (session) => {
    const hold = new DestructionHold(session);
    return options.list ? hold.look() : { since: null, waiting: await hold.end() };
  });
  if (!options.json) {
    if (!options.list) say('Destruction continues. These operations waited:');
    else
      say(
        since
          ? `Destruction is on hold since ${since.toISOString()}. These operations may wait:`
          : 'Destruction is not on hold.',
      );
  }
  printList(
    waiting,
    {
      operation: (row) => row.id,
      type: (row) => row.type,
      tenant: (row) => row.tenant_id,
      deployment: (row) => row.deployment_id,
      step: (row) => row.step,
      'waits for': (row) => row.waits_for,
    },
    options,
  );
}
