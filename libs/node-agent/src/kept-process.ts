import type { BrokerExit } from '@libs/broker/runtime';

/** The process as this agent knows it; `exit` is set when it was started by this agent and has ended. */
export interface KeptProcess {
  sinceMs: number;
  isOwn: boolean;
  wasAsked: boolean;
  exit: BrokerExit | null;
}
