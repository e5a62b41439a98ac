import { createHash, createHmac, randomBytes } from 'node:crypto';
import { secretEqual } from './secret-equal.js';

/** Answers with only a proof, which shows that the process is alive. */
export const PROOF_PATH = '/proof';
/** The header of an answer that authenticates the process. */
export const PROOF_HEADER = 'ld-proof';
/** Both sides use the same clock. A proof is valid for this time, and only once. */
const VALID_MS = 10_000;

/** The purpose of a caller: control of the process, or a connection as a client of the node. */
export type Purpose = 'control' | 'inlet';

/** The authenticated parts of a request. */
export interface Said {
  method: string;
  path: string;
  payload: string;
}

/** The authenticated parts of an answer. */
export interface Answered {
  status: number;
  payload: string;
}

/**
 * Both sides prove that they have the token of the process, and the token is never sent. The caller signs its request and a new
 * nonce, the process signs its answer and that nonce. So an impostor in place of the process learns nothing and is rejected,
 * and a recorded proof is useless.
 */
export class Proofs {
  /** New for each process. Knowledge of an earlier token is useless. */
  readonly token = randomBytes(32).toString('hex');
  /** Nonces of proofs that are still valid, oldest first. */
  private readonly seen = new Map<string, number>();

  /** The nonce of a valid proof, for the answer. Null when the proof is invalid. */
  accept(header: string | undefined, purpose: Purpose, said: Said, nowMs = Date.now()): string | null {
    const [, nonce = '', at = '', mac = ''] =
      /^Proof ([0-9a-f]{32}) (\d{1,15}) ([0-9a-f]{64})$/.exec(header ?? '') ?? [];
    if (!secretEqual(mac, proofOfCaller(this.token, purpose, nonce, at, said))) return null;
    this.forget(nowMs);
    if (Math.abs(nowMs - Number(at)) > VALID_MS || this.seen.has(nonce)) return null;
    this.seen.set(nonce, nowMs);
    return nonce;
  }

  /** The header of the answer to an accepted request. */
  seal(nonce: string, answered: Answered): string {
    return proofOfProcess(this.token, nonce, answered);
  }

  /** Stores a nonce for twice the validity, because its timestamp may be in the future. */
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

/** Whether an answer comes from the process with the token. */
export const isProven = (token: string, nonce: string, header: unknown, answered: Answered): boolean =>
  typeof header === 'string' && secretEqual(header, proofOfProcess(token, nonce, answered));

const proofOfCaller = (token: string, purpose: Purpose, nonce: string, at: string, said: Said): string =>
  hmac(token, `caller ${purpose} ${nonce} ${at} ${said.method} ${said.path} ${sha256(said.payload)}`);

const proofOfProcess = (token: string, nonce: string, { status, payload }: Answered): string =>
  hmac(token, `process ${nonce} ${status} ${sha256(payload)}`);

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hmac = (secret: string, said: string): string => createHmac('sha256', secret).update(said).digest('hex');
