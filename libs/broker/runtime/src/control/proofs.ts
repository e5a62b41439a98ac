import { createHash, createHmac, randomBytes } from 'node:crypto';
import { secretEqual } from './secret-equal.js';

/** Where a challenge is asked for; the query is the nonce of who asks. */
export const CHALLENGE_PATH = '/challenge';
/** Challenges that nobody has answered yet; an older one is forgotten. */
const OPEN_CHALLENGES = 64;

/** What a caller wants: to control the process, or only to enter it as a client of the node's own. */
export type Purpose = 'control' | 'inlet';

/** What a request says, as far as it is proven. */
export interface Said {
  method: string;
  path: string;
  payload: string;
}

/** The answer to a nonce. */
export interface Challenge {
  challenge: string;
  /** By purpose; shows that who answers knows the token. */
  proofs: Record<Purpose, string>;
}

/**
 * Both sides show that they know the token of the process, and the token never travels: the process over the nonce of the
 * caller, the caller over a challenge that the process has just made, which counts once. So whoever listens at the address in
 * the place of the process learns nothing, and what was overheard opens nothing.
 */
export class Proofs {
  /** Fresh with each process: what somebody learnt of an earlier one is worth nothing. */
  readonly token = randomBytes(32).toString('hex');
  private readonly open = new Set<string>();

  answer(nonce: string): Challenge {
    const challenge = freshNumber();
    this.open.add(challenge);
    const [oldest] = this.open;
    if (this.open.size > OPEN_CHALLENGES && oldest !== undefined) this.open.delete(oldest);
    const proofs = { control: '', inlet: '' };
    for (const purpose of PURPOSES) proofs[purpose] = proofOfServer(this.token, purpose, nonce, challenge);
    return { challenge, proofs };
  }

  /** Whether the header answers a challenge of this process that was not answered before. */
  accepts(header: string, purpose: Purpose, said: Said): boolean {
    const [, challenge = '', given = ''] = /^Proof ([0-9a-f]{32}) ([0-9a-f]{64})$/.exec(header) ?? [];
    const isOpen = this.open.delete(challenge);
    return secretEqual(given, proofOfCaller(this.token, purpose, challenge, said)) && isOpen;
  }
}

const PURPOSES: readonly Purpose[] = ['control', 'inlet'];

export const freshNumber = (): string => randomBytes(16).toString('hex');

/** Whether an answer shows that its sender knows the token. */
export function isProven(token: string, purpose: Purpose, nonce: string, answer: unknown): answer is Challenge {
  const { challenge, proofs } = (answer ?? {}) as Partial<Challenge>;
  if (typeof challenge !== 'string' || typeof proofs?.[purpose] !== 'string') return false;
  return secretEqual(proofs[purpose], proofOfServer(token, purpose, nonce, challenge));
}

/** The header of a request that answers a challenge. */
export const proofHeader = (token: string, purpose: Purpose, challenge: string, said: Said): string =>
  `Proof ${challenge} ${proofOfCaller(token, purpose, challenge, said)}`;

const proofOfServer = (token: string, purpose: Purpose, nonce: string, challenge: string): string =>
  hmac(token, `server ${purpose} ${nonce} ${challenge}`);

function proofOfCaller(token: string, purpose: Purpose, challenge: string, { method, path, payload }: Said): string {
  const content = createHash('sha256').update(payload).digest('hex');
  return hmac(token, `caller ${purpose} ${challenge} ${method} ${path} ${content}`);
}

const hmac = (secret: string, said: string): string => createHmac('sha256', secret).update(said).digest('hex');
