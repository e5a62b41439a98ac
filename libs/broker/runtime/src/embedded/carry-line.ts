import { createHmac, randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { BrokerError } from '../broker-error.js';
import { secretEqual } from '../control/secret-equal.js';

/**
 * The first lines on a connection from a follower's gate to the leader. Both sides prove the cluster's secret before
 * a byte of a client passes, and the secret itself never travels:
 *
 *     carry/1 <protocol> <client address> <unix ms> <nonce> <hmac of all before>
 *     ok <hmac of "ok" and the nonce>
 */
export const CARRIED_PROTOCOLS = ['tcp', 'websocket', 'probe'] as const;
export type CarriedProtocol = (typeof CARRIED_PROTOCOLS)[number];

export interface CarryHello {
  protocol: CarriedProtocol;
  client: string;
  sentAtMs: number;
  nonce: string;
}

/** Longest first line, in bytes. */
const LINE_LIMIT = 256;
/** Time that either side has for its line, in milliseconds. */
export const LINE_TIMEOUT_MS = 3_000;

/** The line that opens a carried connection, and the one which the leader must answer it with. */
export function sealHello(secret: string, protocol: CarriedProtocol, client: string, nowMs: number) {
  const nonce = randomBytes(16).toString('hex');
  const said = `carry/1 ${protocol} ${client} ${Math.trunc(nowMs)} ${nonce}`;
  return { line: `${said} ${proof(secret, said)}`, answer: sealAnswer(secret, nonce) };
}

const HELLO = /^(carry\/1 (tcp|websocket|probe) ([0-9a-f.:]{2,45}) (\d{1,15}) ([0-9a-f]{32})) ([0-9a-f]{64})$/;

/** The hello of a line, or null when it is malformed or its proof is wrong. */
export function openHello(secret: string, line: string): CarryHello | null {
  const [, said = '', protocol, client = '', sentAt, nonce = '', given = ''] = HELLO.exec(line) ?? [];
  const known = CARRIED_PROTOCOLS.find((name) => name === protocol);
  if (!known || !secretEqual(given, proof(secret, said))) return null;
  return { protocol: known, client, sentAtMs: Number(sentAt), nonce };
}

export function sealAnswer(secret: string, nonce: string): string {
  return `ok ${proof(secret, `ok ${nonce}`)}`;
}

/**
 * Reads exactly one line and leaves the socket paused. Rejects on a line that is too long or too late, on bytes after
 * it (nothing may follow before the answer), and when the peer closes.
 */
export function readLine(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const end = (finish: () => void): void => {
      clearTimeout(timer);
      socket.off('data', onData).off('close', onClose);
      socket.pause();
      finish();
    };
    const onClose = (): void => end(() => reject(new BrokerError('the peer closed the connection')));
    const onData = (chunk: Buffer): void => {
      text += chunk.toString('latin1');
      const newline = text.indexOf('\n');
      if (newline === -1 && text.length < LINE_LIMIT) return;
      const isWhole = newline === text.length - 1 && text.length <= LINE_LIMIT;
      end(() => (isWhole ? resolve(text.slice(0, newline)) : reject(new BrokerError('the first line is malformed'))));
    };
    const timer = setTimeout(() => end(() => reject(new BrokerError('no first line in time'))), LINE_TIMEOUT_MS);
    socket.on('data', onData).on('close', onClose);
  });
}

function proof(secret: string, said: string): string {
  return createHmac('sha256', secret).update(said).digest('hex');
}
