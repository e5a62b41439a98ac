import { CloudError } from '../cloud-error.js';
import type { GoogleFault } from './gcp-refusal.js';

const ANSWER_TIMEOUT_MS = 20_000;

export interface GoogleRequest {
  method: string;
  url: string;
  token: string;
  body?: object | undefined;
  /** The call in words, for messages. */
  action: string;
  signal?: AbortSignal | undefined;
}

export type GoogleAnswer = { body: unknown; fault: null } | { body: null; fault: GoogleFault };

/**
 * Asks Google once.
 * @throws CloudError `unavailable` without an answer: the call may have had its effect. The reason of `signal` after an abort.
 */
export async function askGoogle({ method, url, token, body, action, signal }: GoogleRequest): Promise<GoogleAnswer> {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
  const timeout = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
  try {
    const answer = await fetch(url, {
      ...{ method, headers, redirect: 'error', signal: signal ? AbortSignal.any([signal, timeout]) : timeout },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return answer.ok ? { body: JSON.parse(text), fault: null } : { body: null, fault: faultIn(answer.status, text) };
  } catch (error) {
    signal?.throwIfAborted();
    throw new CloudError({ code: 'unavailable' }, `Google ${action}: no answer`, { cause: error });
  }
}

interface ErrorBody {
  error?: {
    message?: string;
    status?: string;
    errors?: { reason?: string; message?: string }[];
    details?: { reason?: string }[];
  };
}

/** An answer that is not of Google, such as the page of a proxy, has no reason. */
function faultIn(status: number, text: string): GoogleFault {
  const { error = {} } = readBody(text);
  const { errors = [], details = [], message = '' } = error;
  const reason = errors[0]?.reason ?? details.find((one) => one.reason)?.reason ?? error.status ?? '';
  return { status: reason === '' && status < 500 ? 502 : status, reason, message };
}

function readBody(text: string): ErrorBody {
  try {
    const body = JSON.parse(text) as ErrorBody | null;
    return typeof body?.error === 'object' ? body : {};
  } catch {
    return {};
  }
}
