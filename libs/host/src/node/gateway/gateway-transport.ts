import type { Agent, IncomingMessage } from 'node:http';
import { DESIRED_WAIT_SECONDS, DOCUMENT_LIMIT_BYTES } from '@libs/domain/agent-protocol';
import { toStorableText } from '@libs/domain/storable-text';
import { AgentError, GatewayError } from '../agent-error.js';
import { AGENT_VERSION } from '../agent-version.js';
import { retryAfterMs } from './retry-after.js';
import type { ServerClock } from './server-clock.js';

/** Timeout of a call that the gateway answers at once, in milliseconds. */
export const CALL_TIMEOUT_MS = 15_000;
/** Timeout of a long poll, in milliseconds. */
export const POLL_TIMEOUT_MS = (DESIRED_WAIT_SECONDS + 15) * 1000;
/** Allows for the data around the document in an answer. */
const ANSWER_LIMIT_BYTES = DOCUMENT_LIMIT_BYTES + 64 * 1024;

/** The parts of `node:http` or `node:https` that a transport uses. */
export type HttpModule = Pick<typeof import('node:http'), 'Agent' | 'request'>;

export interface GatewayCall {
  method: 'GET' | 'POST';
  path: string;
  body?: unknown;
  /** The body is compressed with gzip. */
  isPacked?: boolean;
  authorization?: string;
  timeoutMs: number;
  signal: AbortSignal;
  /** The connection, from `connection()`. */
  agent: Agent;
}

/**
 * Calls of an agent to the gateway. All connections are outbound. Rejects with GatewayError when the gateway refuses a call, otherwise
 * with the network error.
 */
export class GatewayTransport {
  private readonly agents: Agent[] = [];

  private constructor(
    readonly base: URL,
    readonly http: HttpModule,
    private readonly clock: ServerClock,
  ) {}

  /** Throws AgentError for a forbidden address. Loads TLS only when necessary, to save memory. */
  static async to(url: string, clock: ServerClock): Promise<GatewayTransport> {
    const base = gatewayAddress(url);
    const http = base.protocol === 'http:' ? await import('node:http') : await import('node:https');
    return new GatewayTransport(base, http, clock);
  }

  /** A connection for one kind of calls, so that they never wait behind other calls. `close` ends it. */
  connection(): Agent {
    const agent = new this.http.Agent({ keepAlive: true, maxSockets: 1 });
    this.agents.push(agent);
    return agent;
  }

  close(): void {
    for (const agent of this.agents) agent.destroy();
  }

  /** The fields of an answer. Null for an answer without content. */
  async call(call: GatewayCall): Promise<unknown> {
    const response = await this.send(call, await payloadOf(call));
    const { statusCode: status = 0, headers } = response;
    const body = parseJson(await readAnswer(response));
    this.clock.learn(stringOf(body['server_time'] ?? headers['ld-server-time']));
    if (status === 204) return null;
    if (status === 200) return body;
    const waitMs = retryAfterMs(headers['retry-after'], Date.now() + this.clock.offsetMs);
    throw new GatewayError(status, stringOf(body['code']) ?? null, waitMs);
  }

  private send(call: GatewayCall, payload: string | Buffer): Promise<IncomingMessage> {
    const headers: Record<string, string | number> = {
      accept: 'application/json',
      'ld-agent-version': AGENT_VERSION,
      ...(payload && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }),
      ...(call.isPacked && { 'content-encoding': 'gzip' }),
      ...(call.authorization && { authorization: call.authorization }),
    };
    const { method, agent, signal } = call;
    return new Promise((resolve, reject) => {
      const outgoing = this.http.request(new URL(call.path, this.base), { method, headers, agent, signal }, resolve);
      const late = (): void => void outgoing.destroy(new AgentError('the gateway did not answer in time'));
      const timer = setTimeout(late, call.timeoutMs);
      outgoing.on('close', () => clearTimeout(timer));
      outgoing.on('error', reject);
      outgoing.end(payload);
    });
  }
}

async function payloadOf({ body, isPacked }: GatewayCall): Promise<string | Buffer> {
  const text = body === undefined ? '' : JSON.stringify(body, storable);
  if (!isPacked) return text;
  // Loaded with the first batch, so that the start is fast.
  const { gzipSync } = await import('node:zlib');
  return gzipSync(text);
}

/** The gateway refuses text that its database cannot store. Error texts can contain any text of users and clients. */
const storable = (_: string, value: unknown): unknown => (typeof value === 'string' ? toStorableText(value) : value);

/** Throws AgentError for all addresses except https, and http to the loopback. A credential must not be sent unencrypted. */
export function gatewayAddress(text: string): URL {
  const url = URL.parse(text);
  const isLoopback = url !== null && /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback)) return url;
  throw new AgentError('agent_url must be https, or http to the loopback');
}

async function readAnswer(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > ANSWER_LIMIT_BYTES) throw new AgentError('the answer of the gateway is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The fields of an answer. Empty when it is not a JSON object. The caller checks the fields that it needs. */
function parseJson(text: string): Record<string, unknown> {
  try {
    return { ...(JSON.parse(text) as Record<string, unknown>) };
  } catch {
    return {};
  }
}

function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
