import { createHmac, randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { BrokerError } from '../../control/broker-error.js';
import { secretEqual } from '../../control/secret-equal.js';

/**
 * The first lines on a connection from a follower's gate to the leader. Both sides prove the cluster's secret before a byte of
 * a client passes. The secret is never sent. Each proof covers a number that the other side has just generated, so recorded
 * lines cannot be replayed, and no clock is necessary:
 *
 *     carry/2 <challenge>                                                           the leader
 *     <protocol> <client address> <nonce> <hmac of the challenge and all before>    the follower
 *     ok <hmac of "ok" and the nonce>                                               the leader
 */
export const CARRIED_PROTOCOLS = ['tcp', 'websocket', 'probe'] as const;
export type CarriedProtocol = (typeof CARRIED_PROTOCOLS)[number];

export interface CarryHello {
  protocol: CarriedProtocol;
  client: string;
  nonce: string;
}

/** Maximum length of the first line, in bytes. */
const LINE_LIMIT = 256;
/** Time limit for each line, in milliseconds. */
export const LINE_TIMEOUT_MS = 3_000;

/** A new challenge of the leader, and its line. */
export function makeChallenge() {
  const challenge = freshNumber();
  return { challenge, line: `carry/2 ${challenge}` };
}

const CHALLENGE = /^carry\/2 ([0-9a-f]{32})$/;

/** The challenge in a line, or null. */
export const readChallenge = (line: string): string | null => CHALLENGE.exec(line)?.[1] ?? null;

/** The line that answers a challenge, and the expected answer of the leader. */
export function sealHello(secret: string, challenge: string, protocol: CarriedProtocol, client: string) {
  const nonce = freshNumber();
  const text = `${protocol} ${client} ${nonce}`;
  return { line: `${text} ${proof(secret, `${challenge} ${text}`)}`, answer: sealAnswer(secret, nonce) };
}

const HELLO = /^((tcp|websocket|probe) ([0-9a-f.:]{2,45}) ([0-9a-f]{32})) ([0-9a-f]{64})$/;

/** The hello in a line, or null when it is malformed or does not prove the secret for this challenge. */
export function openHello(secret: string, challenge: string, line: string): CarryHello | null {
  const [, text = '', protocol, client = '', nonce = '', mac = ''] = HELLO.exec(line) ?? [];
  const knownProtocol = CARRIED_PROTOCOLS.find((name) => name === protocol);
  if (!knownProtocol || !secretEqual(mac, proof(secret, `${challenge} ${text}`))) return null;
  return { protocol: knownProtocol, client, nonce };
}

export function sealAnswer(secret: string, nonce: string): string {
  return `ok ${proof(secret, `ok ${nonce}`)}`;
}

/**
 * Reads exactly one line and pauses the socket. Rejects when the line is too long or too late, when bytes follow it (none may
 * follow before the answer), and when the peer closes.
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
    const timer = setTimeout(
      () => end(() => reject(new BrokerError('the first line did not arrive in time'))),
      LINE_TIMEOUT_MS,
    );
    // The previous line may have paused the socket.
    socket.on('data', onData).on('close', onClose).resume();
  });
}

const freshNumber = (): string => randomBytes(16).toString('hex');

function proof(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('hex');
}
