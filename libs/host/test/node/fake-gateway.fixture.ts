import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import type {
  AgentPart,
  DeadLetterRequest,
  LogBatch,
  NodeDocument,
  NodeSpec,
  RegisterRequest,
  RequestResult,
  StatusRequest,
} from '@libs/domain';
import { AGENT_PATHS } from '@libs/domain/agent-protocol';
import { canonicalHash } from '../../src/os/canonical-hash.js';

export const EPOCH = 7;
export const TOKEN = 'one-time-token';

/** The gateway of the specs: one node, and switches for failures. */
export class FakeGateway {
  readonly registrations: RegisterRequest[] = [];
  readonly statuses: StatusRequest[] = [];
  readonly desiredQueries: string[] = [];
  /** Accepted batches. */
  readonly logs: LogBatch[] = [];
  /** The uploaded parts of orders, by `<order>/<part>`. */
  readonly objects = new Map<string, Buffer>();
  /** The parts of each agent, by its sha256. */
  readonly parts = new Map<string, AgentPart[]>();
  /** What is sent under a sha256. */
  readonly artifacts = new Map<string, Buffer>();
  /** The artifacts that were asked for. */
  readonly fetched: string[] = [];
  /** The next batches are accepted, but their answers are lost. */
  logAnswersToLose = 0;
  /** The next registrations are accepted, but their answers are lost. */
  registerAnswersToLose = 0;
  /** The answer to every authenticated call instead of the real one. */
  refusal: { status: number; code: string } | null = null;
  intervalMs = 400;
  serverOffsetMs = 0;
  private document: NodeDocument | null = null;
  private readonly parked = new Set<() => void>();
  private readonly asking = new Map<number, { body: DeadLetterRequest; resolve: (result: RequestResult) => void }>();
  private lastRequest = 0;
  private credentialHash: string | null = null;
  private server: Server | null = null;
  private port = 0;

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async start(): Promise<this> {
    const server = createServer((request, response) => void this.answer(request, response));
    this.server = server;
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve));
    this.port = (server.address() as { port: number }).port;
    return this;
  }

  async stop(): Promise<void> {
    this.release();
    this.server?.closeAllConnections();
    await new Promise((resolve) => (this.server ? this.server.close(resolve) : resolve(null)));
  }

  publish(spec: NodeSpec, generation: number, changes: Partial<NodeDocument> = {}): NodeDocument {
    const hash = canonicalHash(spec);
    this.document = { node_id: spec.node_id, timeline: 1, generation, hash, epoch: EPOCH, spec, ...changes };
    this.release();
    return this.document;
  }

  /** Ends every waiting poll, like a change does. */
  release(): void {
    for (const wake of [...this.parked]) wake();
  }

  get lastStatus(): StatusRequest | undefined {
    return this.statuses.at(-1);
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const url = new URL(request.url ?? '', this.url);
    if (url.pathname === AGENT_PATHS.objects) return this.keep(url, Buffer.concat(chunks), response);
    const bytes = request.headers['content-encoding'] ? gunzipSync(Buffer.concat(chunks)) : Buffer.concat(chunks);
    const body: unknown = bytes.length > 0 ? JSON.parse(bytes.toString()) : null;
    if (url.pathname === '/agent/v1/register') return this.register(body as RegisterRequest, response);
    if (this.refusal) return send(response, this.refusal.status, { code: this.refusal.code });
    if (!this.isAuthenticated(request)) return send(response, 401, { code: 'unauthenticated' });
    await this.serve(url, body, response);
  }

  /** A request with the credential of the node. */
  private async serve(url: URL, body: unknown, response: ServerResponse): Promise<void> {
    if (url.pathname === '/agent/v1/status') return this.status(body as StatusRequest, response);
    if (url.pathname === '/agent/v1/logs') return this.takeLogs(body as LogBatch, response);
    if (url.pathname === '/agent/v1/requests') return this.requests(body as RequestResult | null, response);
    if (url.pathname === AGENT_PATHS.parts)
      return send(response, 200, { parts: this.parts.get(url.searchParams.get('agent') ?? '') ?? [] });
    if (url.pathname.startsWith(AGENT_PATHS.artifacts)) return this.sendArtifact(url, response);
    this.desiredQueries.push(url.search);
    await this.desired(url, response);
  }

  private sendArtifact({ pathname }: URL, response: ServerResponse): void {
    const hash = pathname.split('/').at(-1) ?? '';
    this.fetched.push(hash);
    const content = this.artifacts.get(hash);
    response.writeHead(content ? 200 : 404).end(content);
  }

  private register(body: RegisterRequest, response: ServerResponse): void {
    this.registrations.push(body);
    if (body.token !== TOKEN) return send(response, 401, { code: 'unauthenticated' });
    this.credentialHash = body.credential_hash;
    if (this.registerAnswersToLose > 0) {
      this.registerAnswersToLose -= 1;
      response.destroy();
      return;
    }
    send(response, 200, { ...this.common(), node_id: body.node_id, epoch: EPOCH });
  }

  private takeLogs(batch: LogBatch, response: ServerResponse): void {
    const held = this.logs.at(-1)?.cursor ?? null;
    const isNext = held === null || held === batch.after;
    if (isNext) this.logs.push(batch);
    if (this.logAnswersToLose > 0) {
      this.logAnswersToLose -= 1;
      response.destroy();
      return;
    }
    send(response, 200, { ...this.common(), cursor: isNext ? batch.cursor : held });
  }

  private keep(url: URL, content: Buffer, response: ServerResponse): void {
    this.objects.set(`${url.searchParams.get('order')}/${url.searchParams.get('part')}`, content);
    send(response, 200, { sha256: sha256(content), size_bytes: content.length });
  }

  private status(body: StatusRequest, response: ServerResponse): void {
    this.statuses.push(body);
    send(response, 200, { ...this.common(), epoch: EPOCH });
  }

  /** Asks the node, and waits for its answer. */
  async ask(body: DeadLetterRequest): Promise<RequestResult> {
    this.lastRequest += 1;
    const id = this.lastRequest;
    const answered = new Promise<RequestResult>((resolve) => this.asking.set(id, { body, resolve }));
    this.release();
    return answered;
  }

  private async requests(result: RequestResult | null, response: ServerResponse): Promise<void> {
    if (result) {
      this.asking.get(result.id)?.resolve(result);
      this.asking.delete(result.id);
      return send(response, 200, this.common());
    }
    if (this.asking.size === 0)
      await new Promise<void>((resolve) => {
        const end = (): void => {
          this.parked.delete(end);
          resolve();
        };
        this.parked.add(end);
        response.once('close', end);
      });
    send(response, 200, { ...this.common(), requests: [...this.asking].map(([id, { body }]) => ({ id, body })) });
  }

  private async desired(url: URL, response: ServerResponse): Promise<void> {
    if (!this.isNewer(url)) {
      await new Promise<void>((resolve) => {
        const end = (): void => {
          this.parked.delete(end);
          resolve();
        };
        this.parked.add(end);
        response.once('close', end);
      });
    }
    if (this.refusal) return send(response, this.refusal.status, { code: this.refusal.code });
    if (this.isNewer(url)) return send(response, 200, { ...this.common(), document: this.document });
    response.writeHead(204, { 'ld-server-time': this.common().server_time }).end();
  }

  /** Anything except the agent's current document, so that specs can send documents that a real gateway would not. */
  private isNewer(url: URL): boolean {
    const { timeline, generation } = this.document ?? {};
    const held = ['timeline', 'since'].map((name) => Number(url.searchParams.get(name)));
    return this.document !== null && (held[0] !== timeline || held[1] !== generation || this.isForced);
  }

  /** Serves the document even when the agent already has its generation. */
  isForced = false;

  private isAuthenticated(request: IncomingMessage): boolean {
    const [, secret = ''] = (request.headers.authorization ?? '').split('.');
    return this.credentialHash !== null && sha256(secret) === this.credentialHash;
  }

  private common(): { server_time: string; interval_ms: number } {
    return { server_time: new Date(Date.now() + this.serverOffsetMs).toISOString(), interval_ms: this.intervalMs };
  }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  if (response.destroyed) return;
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function sha256(text: string | Buffer): string {
  return createHash('sha256').update(text).digest('hex');
}
