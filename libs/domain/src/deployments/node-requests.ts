import type { AgentAnswer } from '../agent-protocol.js';
import type { DeadLetterRequest } from './node-connectors.js';
import type { NodeRequestId } from '../ids.js';

/** Limits of an answer to a request: characters of its JSON text, and bytes of the message. */
export const REQUEST_LIMITS = { answerLength: 256 * 1024, bytes: 512 * 1024 } as const;

/** `GET requests` answers 200 with this, or 204. A request is repeated until it is answered or too old. */
export interface RequestsAnswer extends AgentAnswer {
  requests: { id: NodeRequestId; body: DeadLetterRequest }[];
}

/** `POST requests`: the result of one request as JSON text, or why the node refuses it. */
export interface RequestResult {
  epoch: number;
  id: NodeRequestId;
  answer: string | null;
  error: string | null;
}
