import { BrokerError } from '../broker-error.js';
import { contactInstance, type InstanceContact, type InstanceRole } from '../instance-socket.js';
import type { NodePlace } from '../node-place.js';
import { requestJson, type SocketAnswer, type SocketRequest } from '../socket-request.js';
import { CHALLENGE_PATH, freshNumber, isProven, proofHeader, type Purpose } from './proofs.js';

const ASK_TIMEOUT_MS = 5_000;

export type Ask = Omit<SocketRequest, 'authorization' | 'timeoutMs'> & Partial<Pick<SocketRequest, 'timeoutMs'>>;

/**
 * Asks a process of the node over its control channel. Null when the node's process does not listen: nobody does, or somebody
 * who does not know its token. Throws BrokerError when the process listens and does not answer, or refuses.
 */
export async function askInstance(place: NodePlace, role: InstanceRole, call: Ask): Promise<SocketAnswer | null> {
  const contact = await contactInstance(place, role);
  if (contact === null) return null;
  try {
    const challenge = await challengeOf(contact, 'control');
    if (challenge === null) return null;
    const said = { method: call.method, path: call.path, payload: payloadOf(call) };
    const authorization = proofHeader(contact.token, 'control', challenge, said);
    const answer = await requestJson(contact.at, { timeoutMs: ASK_TIMEOUT_MS, ...call, authorization });
    if (answer.status >= 300) throw new BrokerError(`the ${role} answered ${answer.status}${whyOf(answer.body)}`);
    return answer;
  } catch (error) {
    if (isNobody(error)) return null;
    throw error;
  }
}

/** A challenge of the process that the token belongs to; null when somebody else answers. */
export async function challengeOf({ at, token }: InstanceContact, purpose: Purpose): Promise<string | null> {
  const nonce = freshNumber();
  const ask = { method: 'GET', path: `${CHALLENGE_PATH}?${nonce}`, timeoutMs: ASK_TIMEOUT_MS } as const;
  const { body } = await requestJson(at, ask);
  return isProven(token, purpose, nonce, body) ? body.challenge : null;
}

/** Whether the process of the contact lives: for those who want its role. */
export async function isAlive(contact: InstanceContact): Promise<boolean> {
  return (await challengeOf(contact, 'control').catch(() => null)) !== null;
}

const payloadOf = ({ body }: Ask): string => (body === undefined ? '' : JSON.stringify(body));

function whyOf(body: unknown): string {
  const { error } = (body ?? {}) as { error?: unknown };
  return typeof error === 'string' ? `: ${error}` : '';
}

/** Nobody listens there, or whoever did died while it was asked. */
export function isNobody(error: unknown): boolean {
  return ['ECONNREFUSED', 'ENOENT', 'ECONNRESET', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '');
}
