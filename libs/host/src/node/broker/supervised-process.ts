import type { BrokerExit } from '../../control/broker-runtime.js';

/** The state of a process in this agent. `exit` is set when this agent started the process and the process has ended. */
export interface SupervisedProcess {
  sinceMs: number;
  isOwn: boolean;
  wasAsked: boolean;
  exit: BrokerExit | null;
}

/** Time limit from the start of a process to its first answer. After it the process is killed. */
const START_DEADLINE_MS = 20_000;

/** Started by this agent, alive, and without an answer yet. */
export function isStarting(kept: SupervisedProcess | null): boolean {
  return kept !== null && kept.isOwn && !kept.wasAsked && kept.exit === null;
}

export function isOverdue(kept: SupervisedProcess | null): boolean {
  return kept !== null && Date.now() - kept.sinceMs > START_DEADLINE_MS;
}
