import type { BrokerExit } from '@libs/broker/runtime';

/** The process as this agent knows it; `exit` is set when it was started by this agent and has ended. */
export interface SupervisedProcess {
  sinceMs: number;
  isOwn: boolean;
  wasAsked: boolean;
  exit: BrokerExit | null;
}

/** A process that is started but not asked successfully within this time is ended. */
const START_DEADLINE_MS = 20_000;

/** Started by this agent, alive, and never asked successfully. */
export function isStarting(kept: SupervisedProcess | null): boolean {
  return kept !== null && kept.isOwn && !kept.wasAsked && kept.exit === null;
}

export function isOverdue(kept: SupervisedProcess | null): boolean {
  return kept !== null && Date.now() - kept.sinceMs > START_DEADLINE_MS;
}
