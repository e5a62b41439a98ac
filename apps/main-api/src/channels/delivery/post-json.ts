import { DestinationRefused, OutboundFailed, type OutboundClient } from '@libs/outbound';
import { SendingAborted, type Sent } from './channel-sender.js';

const TIMEOUT_MS = 10_000;
const RESPONSE_BYTES = 1_024;
/** Longest pause that a destination can request. */
const LONGEST_WAIT_SECONDS = 3_600;

export interface Post {
  url: string;
  headers: Record<string, string>;
  body: string;
  signal: AbortSignal;
}

/** Sends one POST to a URL of a customer. @throws SendingAborted */
export async function postJson(client: OutboundClient, { url, headers, body, signal }: Post): Promise<Sent> {
  const all = { ...headers, 'content-type': 'application/json', 'user-agent': 'Landlord' };
  const request = { url, method: 'POST', headers: all, body, timeoutMs: TIMEOUT_MS, signal } as const;
  try {
    const answer = await client.send({ ...request, maxBodyBytes: RESPONSE_BYTES });
    const isTaken = answer.status >= 200 && answer.status < 300;
    return {
      status: answer.status,
      error: isTaken ? null : `the destination answered ${answer.status}`,
      response: textOf(answer.body),
      ...retryAfterOf(answer.headers['retry-after']),
    };
  } catch (error) {
    if (error instanceof OutboundFailed && error.failure === 'aborted') throw new SendingAborted();
    if (error instanceof OutboundFailed || error instanceof DestinationRefused)
      return { status: null, error: error.message, response: null };
    throw error;
  }
}

/** PostgreSQL stores every character except NUL. */
const textOf = (body: Buffer): string | null => (body.length === 0 ? null : body.toString('utf8').replaceAll('\0', ''));

function retryAfterOf(header: string | undefined): { retryAfterSeconds?: number } {
  if (header === undefined || !/^\d{1,6}$/.test(header)) return {};
  return { retryAfterSeconds: Math.min(Number(header), LONGEST_WAIT_SECONDS) };
}
