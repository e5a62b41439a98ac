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
export function isStarting(state: SupervisedProcess | null): boolean {
  return state !== null && state.isOwn && !state.wasAsked && state.exit === null;
}

export function isOverdue(state: SupervisedProcess | null): boolean {
  return state !== null && Date.now() - state.sinceMs > START_DEADLINE_MS;
}
