import { request, type IncomingHttpHeaders, type IncomingMessage, type RequestOptions } from 'node:http';
import { BrokerError } from './broker-error.js';

export interface SocketRequest {
  method: 'GET' | 'PUT' | 'POST';
  path: string;
  authorization?: string;
  body?: unknown;
  timeoutMs: number;
}

export interface SocketAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** Parsed JSON, or null when the answer contains none. */
  body: unknown;
}

const ANSWER_LIMIT_BYTES = 256 * 1024;

/** One JSON request to a process on this machine. Rejects on a timeout. The caller checks the status. */
export function requestJson(contact: RequestOptions, ask: SocketRequest): Promise<SocketAnswer> {
  const payload = ask.body === undefined ? '' : JSON.stringify(ask.body);
  const headers: Record<string, string | number> = {
    'content-length': Buffer.byteLength(payload),
    connection: 'close',
  };
  if (ask.authorization) headers['authorization'] = ask.authorization;
  return new Promise((resolve, reject) => {
    const call = request({ ...contact, method: ask.method, path: ask.path, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > ANSWER_LIMIT_BYTES) call.destroy(new BrokerError('the response is too large'));
        else chunks.push(chunk);
      });
      response.on('error', reject);
      response.on('end', () => resolve(answerOf(response, Buffer.concat(chunks).toString('utf8'))));
    });
    const timer = setTimeout(() => call.destroy(new BrokerError('the response did not arrive in time')), ask.timeoutMs);
    call.on('close', () => clearTimeout(timer));
    call.on('error', reject);
    call.end(payload);
  });
}

function answerOf({ statusCode = 0, headers }: IncomingMessage, text: string): SocketAnswer {
  return { status: statusCode, headers, text, body: parse(text) };
}

function parse(content: string): unknown {
  try {
    return JSON.parse(content) as unknown;
  } catch {
    return null;
  }
}
