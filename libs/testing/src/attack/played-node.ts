import { createHash, randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { LogBatch, StatusRequest } from '@libs/domain';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A request of a hostile client. */
export interface RawRequest {
  method?: string;
  path: string;
  body?: Buffer | string;
  headers?: Record<string, string>;
  /** Closes the connection of the request. */
  signal?: AbortSignal;
}

/** A simulated agent: it has its own credential at a real gateway, and sends arbitrary requests. */
export class PlayedNode {
  private cursor: string | null = null;
  private batches = 0;
  private seq = 0;

  private constructor(
    readonly gateway: string,
    readonly id: number,
    readonly secret: string,
  ) {}

  /** Registers with the node's one-time token, like an agent. */
  static async register(gateway: string, id: number, token: string): Promise<PlayedNode> {
    const node = new PlayedNode(gateway, id, randomBytes(24).toString('base64url'));
    const body = { node_id: id, token, credential_hash: sha256(node.secret), agent_version: '0', boot_id: 'b' };
    const answer = await node.send({ path: '/agent/v1/register', body: JSON.stringify(body) });
    if (answer.status !== 200) throw new TypeError(`the gateway answered ${answer.status} to a registration`);
    return node;
  }

  /** A valid status, with changes. */
  statusOf(changes: Partial<StatusRequest> = {}): StatusRequest {
    this.seq += 1;
    return {
      epoch: 1,
      seq: this.seq,
      boot_id: 'b',
      agent_version: '0',
      observed: { timeline: 1, generation: 1, hash: 'h' },
      runtimes: [
        {
          ...{ runtime: 'broker', status: 'running', version: '1', started_at: '2026-11-22T00:00:00.000Z' },
          ...{ pid: 1, restarts: 0, last_error: null },
        },
      ],
      stats: { cpu_percent: 1, memory_bytes: 1 },
      gate: { mode: 'inline', generation: 0, clients: 0 },
      connectors: [{ instance_id: 1, status: 'running', config_id: 1, error: null, messages: 0 }],
      orders: [{ id: 1, status: 'done', error: null, parts: { data: { sha256: sha256(''), size_bytes: 0 } } }],
      ...changes,
    };
  }

  status(changes: Partial<StatusRequest> = {}): Promise<Response> {
    return this.send({ path: '/agent/v1/status', body: JSON.stringify(this.statusOf(changes)) });
  }

  /** The next batch of lines, with changes. */
  batchOf(messages: string[], changes: Partial<LogBatch> = {}): LogBatch {
    const lines = messages.map((message) => ({ runtime: 'broker', level: 'info', at: Date.now(), message }) as const);
    return { epoch: 1, after: this.cursor, cursor: `${this.batches + 1}`, lines, ...changes };
  }

  /** Sends the next batch of lines, like an agent. Advances the cursor when the batch is stored. Returns the answer. */
  async log(...messages: string[]): Promise<Response> {
    const batch = this.batchOf(messages);
    const answer = await this.send({ path: '/agent/v1/logs', body: gzipSync(JSON.stringify(batch)) });
    if (answer.status === 200) [this.cursor, this.batches] = [batch.cursor, this.batches + 1];
    return answer;
  }

  /** Sends any request with the node's own credential. */
  send({ method = 'POST', path, body, headers = {}, signal }: RawRequest): Promise<Response> {
    const authorization = `Bearer ${this.id}.${this.secret}`;
    const bytes = typeof body === 'string' ? body : body && new Uint8Array(body);
    const init = { method, headers: { 'content-type': 'application/json', authorization, ...headers } };
    return fetch(`${this.gateway}${path}`, {
      ...init,
      ...(bytes !== undefined && { body: bytes }),
      ...(signal && { signal }),
    });
  }
}
