import type { NodeHome } from '../../../control/node-home.js';
import type { Account } from '../gate/frame-filter.js';
import { startTrial, type TrialPlan } from './iggy-trial.js';

/** The root user of a copy of data: its account, and its password before. */
export interface RootChange {
  root: Account;
  before: string;
}

/**
 * Changes the password of the root user in a copy of data, by a server that starts on the copy: the data has only a hash. Rejects with
 * BrokerError when the copy cannot be used, the password before is wrong, or the server does not accept the new password, which would
 * lock Landlord out.
 */
export async function changeRoot(
  home: NodeHome,
  plan: Omit<TrialPlan, 'root'>,
  { root, before }: RootChange,
): Promise<void> {
  const trial = { ...plan, root: { ...root, password: before } };
  const server = await startTrial(home, trial, 'the data of the backup cannot be used');
  try {
    const { admin } = server;
    await admin.signIn();
    if (root.password === before) return;
    await admin.ask('PUT', '/users/0/password', { current_password: before, new_password: root.password });
    await admin.as(root).signIn();
  } finally {
    await server.end();
  }
}
