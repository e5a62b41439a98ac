import type { AgentAnswer } from '../agent-protocol.js';

/** An artifact whose files lie over the files of one agent, such as a plugin of the connectors. */
export interface AgentPart {
  name: string;
  /** Of its archive, in hexadecimal digits. */
  sha256: string;
  /** Size of its archive. */
  bytes: number;
}

/** `GET parts`: what the installation has for this agent and this processor. Empty for an unknown agent. */
export interface PartsAnswer extends AgentAnswer {
  parts: AgentPart[];
}
