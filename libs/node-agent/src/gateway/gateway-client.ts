import type { Agent, IncomingMessage } from 'node:http';
import type {
  DesiredAnswer,
  LogAnswer,
  LogBatch,
  RegisterAnswer,
  RegisterRequest,
  RequestResult,
  RequestsAnswer,
  StatusAnswer,
  StatusRequest,
} from '@libs/domain';
import { AgentError, GatewayError } from '../agent-error.js';
import { AGENT_VERSION } from '../agent-version.js';
import { AGENT_PATHS, DESIRED_WAIT_SECONDS, DOCUMENT_LIMIT_BYTES } from '@libs/domain/agent-protocol';
import { toStorableText } from '@libs/domain/storable-text';
import { ObjectClient } from '../orders/object-client.js';
import { retryAfterMs } from './retry-after.js';
import type { ServerClock } from './server-clock.js';

const CALL_TIMEOUT_MS = 15_000;
const POLL_TIMEOUT_MS = (DESIRED_WAIT_SECONDS + 15) * 1000;
/** Allows for the data around the document in an answer. */
const ANSWER_LIMIT_BYTES = DOCUMENT_LIMIT_BYTES + 64 * 1024;

interface Call {
  method: 'GET' | 'POST';
  path: string;
  body?: unknown;
  /** The body is compressed with gzip. */
  isPacked?: boolean;
  authorization?: string;
  timeoutMs: number;
  signal: AbortSignal;
  agent: Agent;
}

/**
 * The agent's client for the routes. All connections are outbound. Long polls and the logs have their own connections,
 * so that a status never waits behind them. Rejects with GatewayError when refused, otherwise with the network error.
 */
export class GatewayClient {
  private readonly pollAgent: Agent;
  private readonly callAgent: Agent;
  private readonly logAgent: Agent;
  private readonly requestAgent: Agent;

  private constructor(
    private readonly base: URL,
    private readonly http: Pick<typeof import('node:http'), 'Agent' | 'request'>,
    private readonly clock: ServerClock,
  ) {
    this.pollAgent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    this.callAgent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    this.logAgent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    this.requestAgent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  }

  /** Throws AgentError for a forbidden address. Loads TLS only when necessary, to save memory. */
  static async to(url: string, clock: ServerClock): Promise<GatewayClient> {
    const base = gatewayAddress(url);
    const http = base.protocol === 'http:' ? await import('node:http') : await import('node:https');
    return new GatewayClient(base, http, clock);
  }

  async register(body: RegisterRequest, signal: AbortSignal): Promise<RegisterAnswer> {
    const call = { method: 'POST', path: AGENT_PATHS.register, body, timeoutMs: CALL_TIMEOUT_MS } as const;
    const answer = (await this.call({ ...call, signal, agent: this.callAgent })) as RegisterAnswer | null;
    if (!Number.isSafeInteger(answer?.epoch))
      throw new AgentError('the gateway answered a registration without an epoch');
    return answer as RegisterAnswer;
  }

  /** Null when no newer document came within the wait. */
  async desired(
    held: { timeline: number; generation: number },
    authorization: string,
    signal: AbortSignal,
  ): Promise<DesiredAnswer | null> {
    const query = `timeline=${held.timeline}&since=${held.generation}&wait=${DESIRED_WAIT_SECONDS}`;
    const call = { method: 'GET', path: `${AGENT_PATHS.desired}?${query}`, timeoutMs: POLL_TIMEOUT_MS } as const;
    const answer = (await this.call({ ...call, authorization, signal, agent: this.pollAgent })) as DesiredAnswer | null;
    if (answer !== null && typeof answer.document !== 'object') throw new AgentError('the gateway sent no document');
    return answer;
  }

  async status(body: StatusRequest, authorization: string, signal: AbortSignal): Promise<StatusAnswer | null> {
    const call = { method: 'POST', path: AGENT_PATHS.status, body, timeoutMs: CALL_TIMEOUT_MS } as const;
    return (await this.call({ ...call, authorization, signal, agent: this.callAgent })) as StatusAnswer | null;
  }

  async logs(body: LogBatch, authorization: string, signal: AbortSignal): Promise<LogAnswer | null> {
    const call = { method: 'POST', path: AGENT_PATHS.logs, body, isPacked: true, timeoutMs: CALL_TIMEOUT_MS } as const;
    return (await this.call({ ...call, authorization, signal, agent: this.logAgent })) as LogAnswer | null;
  }

  /** The open requests of the node. Empty when none came within the wait. */
  async requests(authorization: string, signal: AbortSignal): Promise<RequestsAnswer['requests']> {
    const path = `${AGENT_PATHS.requests}?wait=${DESIRED_WAIT_SECONDS}`;
    const call = { method: 'GET', path, timeoutMs: POLL_TIMEOUT_MS } as const;
    const answer = await this.call({ ...call, authorization, signal, agent: this.requestAgent });
    return (answer as RequestsAnswer | null)?.requests ?? [];
  }

  async answer(body: RequestResult, authorization: string, signal: AbortSignal): Promise<void> {
    const call = { method: 'POST', path: AGENT_PATHS.requests, body, timeoutMs: CALL_TIMEOUT_MS } as const;
    await this.call({ ...call, authorization, signal, agent: this.requestAgent });
  }

  /** For uploads and downloads of orders. */
  get objects(): ObjectClient {
    return new ObjectClient(this.base, this.http);
  }

  close(): void {
    this.pollAgent.destroy();
    this.callAgent.destroy();
    this.logAgent.destroy();
    this.requestAgent.destroy();
  }

  private async call(call: Call): Promise<unknown> {
    const response = await this.send(call, await payloadOf(call));
    const { statusCode: status = 0, headers } = response;
    const body = parseJson(await readAnswer(response));
    this.clock.learn(stringOf(body['server_time'] ?? headers['ld-server-time']));
    if (status === 204) return null;
    if (status === 200) return body;
    throw new GatewayError(status, stringOf(body['code']) ?? null, retryAfterMs(headers['retry-after']));
  }

  private send(call: Call, payload: string | Buffer): Promise<IncomingMessage> {
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

async function payloadOf({ body, isPacked }: Call): Promise<string | Buffer> {
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
