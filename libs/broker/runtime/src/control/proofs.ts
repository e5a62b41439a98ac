import { createHash, createHmac, randomBytes } from 'node:crypto';
import { secretEqual } from './secret-equal.js';

/** Answered with a proof and nothing else: tells that the process lives. */
export const PROOF_PATH = '/proof';
/** The header of an answer that shows who gives it. */
export const PROOF_HEADER = 'ld-proof';
/** Both sides have one clock. A proof is not older, and within that time it counts once. */
const VALID_MS = 10_000;

/** What a caller wants: to control the process, or only to enter it as a client of the node's own. */
export type Purpose = 'control' | 'inlet';

/** What a request says, as far as it is proven. */
export interface Said {
  method: string;
  path: string;
  payload: string;
}

/** What an answer says. */
export interface Answered {
  status: number;
  payload: string;
}

/**
 * Both sides show that they know the token of the process, and the token never travels: the caller by the request and a fresh
 * nonce, the process by its answer and that nonce. So whoever listens in the place of the process learns nothing and is not
 * believed, and what was overheard opens nothing a second time.
 */
export class Proofs {
  /** Fresh with each process: what somebody learnt of an earlier one is worth nothing. */
  readonly token = randomBytes(32).toString('hex');
  /** Nonces of proofs that still would be valid, oldest first. */
  private readonly seen = new Map<string, number>();

  /** The nonce of a valid proof of the request, for the answer; null when there is none. */
  accept(header: string | undefined, purpose: Purpose, said: Said, nowMs = Date.now()): string | null {
    const [, nonce = '', at = '', given = ''] =
      /^Proof ([0-9a-f]{32}) (\d{1,15}) ([0-9a-f]{64})$/.exec(header ?? '') ?? [];
    if (!secretEqual(given, proofOfCaller(this.token, purpose, nonce, at, said))) return null;
    this.forget(nowMs);
    if (Math.abs(nowMs - Number(at)) > VALID_MS || this.seen.has(nonce)) return null;
    this.seen.set(nonce, nowMs);
    return nonce;
  }

  /** The header of the answer to an accepted request. */
  seal(nonce: string, answered: Answered): string {
    return proofOfProcess(this.token, nonce, answered);
  }

  /** A nonce is remembered twice as long: its proof may be of a moment that is still to come. */
  private forget(nowMs: number): void {
    for (const [nonce, seenAtMs] of this.seen) {
      if (Math.abs(nowMs - seenAtMs) <= 2 * VALID_MS) return;
      this.seen.delete(nonce);
    }
  }
}

export const freshNumber = (): string => randomBytes(16).toString('hex');

/** The header of a request, and the nonce in it. */
export function proveRequest(token: string, purpose: Purpose, said: Said, nowMs = Date.now()) {
  const [nonce, at] = [freshNumber(), String(nowMs)];
  return { nonce, header: `Proof ${nonce} ${at} ${proofOfCaller(token, purpose, nonce, at, said)}` };
}

/** Whether an answer comes from the process that the token belongs to. */
export const isProven = (token: string, nonce: string, header: unknown, answered: Answered): boolean =>
  typeof header === 'string' && secretEqual(header, proofOfProcess(token, nonce, answered));

const proofOfCaller = (token: string, purpose: Purpose, nonce: string, at: string, said: Said): string =>
  hmac(token, `caller ${purpose} ${nonce} ${at} ${said.method} ${said.path} ${sha256(said.payload)}`);

const proofOfProcess = (token: string, nonce: string, { status, payload }: Answered): string =>
  hmac(token, `process ${nonce} ${status} ${sha256(payload)}`);

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hmac = (secret: string, said: string): string => createHmac('sha256', secret).update(said).digest('hex');
