import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { canonicalHash } from '../../src/os/canonical-hash.js';
import type { NodeId, NodeSpec, RegisterRequest, StatusRequest } from '@libs/domain';
import {
  MACHINE_PATHS,
  type JoinRequest,
  type MachineDocument,
  type MachineNode,
  type MachinePrograms,
  type MachineStatus,
} from '@libs/domain/machine-protocol';

export const JOIN_TOKEN = '7.one-time-secret';

interface Refusal {
  status: number;
  code: string;
  headers?: Record<string, string>;
}

interface Artifact {
  content: Buffer;
  /** Each answer breaks off after this many bytes. */
  cutAfter: number | null;
}

/** The gateway of the specs: one machine, its nodes, their artifacts, and switches for failures. */
export class FakeMachineGateway {
  /** Unique, because the flags of the nodes' processes contain the installation. */
  readonly machine = { machine_id: 3, installation: randomBytes(4).toString('hex'), region: 'home', zone: 'home-a' };
  readonly joins: JoinRequest[] = [];
  readonly statuses: MachineStatus[] = [];
  /** Times of the queries of the document, in milliseconds of the epoch. */
  readonly desiredTimes: number[] = [];
  readonly registrations: RegisterRequest[] = [];
  readonly nodeStatuses: (StatusRequest & { node_id: NodeId })[] = [];
  /** The headers of the requests for artifacts. */
  readonly artifactReaders: string[] = [];
  readonly artifacts = new Map<string, Artifact>();
  readonly specs = new Map<NodeId, NodeSpec>();
  programs: MachinePrograms = { agent: { sha256: '0'.repeat(64), entry: 'agent.main.js' } };
  attempt = 1;
  trialSeconds = 120;
  document: MachineDocument | null = null;
  /** The next joins are accepted, but their answers are lost. */
  joinAnswersToLose = 0;
  /** The answer to every call of the machine instead of the real one. */
  refusal: Refusal | null = null;
  /** The answer to a status instead of the real one. */
  statusRefusal: (status: MachineStatus) => Refusal | null = () => null;
  serverOffsetMs = 0;
  private credentialHash: string | null = null;
  private readonly nodeHashes = new Map<NodeId, string>();
  private readonly parked = new Set<() => void>();
  private server: Server | null = null;
  private port = 0;

  constructor(
    private readonly tls: { key: string; cert: string } | null = null,
    private readonly address = '127.0.0.1',
  ) {}

  get url(): string {
    return `${this.tls === null ? 'http' : 'https'}://${this.address}:${this.port}`;
  }

  async start(): Promise<this> {
    const answer = (request: IncomingMessage, response: ServerResponse): void => void this.answer(request, response);
    const server = this.tls === null ? createServer(answer) : createTlsServer(this.tls, answer);
    this.server = server;
    await new Promise<void>((resolve) => server.listen(this.port, this.address, resolve));
    this.port = (server.address() as { port: number }).port;
    return this;
  }

  async stop(): Promise<void> {
    this.release();
    this.server?.closeAllConnections();
    await new Promise((resolve) => (this.server ? this.server.close(resolve) : resolve(null)));
  }

  /** The next generation of the document. */
  publish(nodes: MachineNode[]): MachineDocument {
    const generation = (this.document?.generation ?? 0) + 1;
    const { programs } = this;
    const { machine_id } = this.machine;
    const { attempt: agent_attempt, trialSeconds: agent_trial_seconds } = this;
    this.document = {
      ...{ machine_id, generation, programs, agent_attempt, agent_trial_seconds },
      ...{ allow_private_destinations: false, nodes },
    };
    this.release();
    return this.document;
  }

  /** Serves `sent` under the hash of `content`. */
  serve(content: Buffer, sent = content): string {
    const hash = sha256(content);
    this.artifacts.set(hash, { content: sent, cutAfter: null });
    return hash;
  }

  stateOf(nodeId: NodeId): MachineStatus['nodes'][number] | undefined {
    return this.statuses.at(-1)?.nodes.find(({ node_id }) => node_id === nodeId);
  }

  private release(): void {
    for (const wake of [...this.parked]) wake();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = (
      chunks.length > 0 && !request.headers['content-encoding'] ? parse(Buffer.concat(chunks)) : {}
    ) as object;
    const url = new URL(request.url ?? '', this.url);
    if (url.pathname.startsWith('/agent/v1/artifacts/')) return this.artifact(request, url, response);
    if (url.pathname.startsWith('/agent/v1/machines/')) return this.ofMachine(request, url, body, response);
    await this.ofNode(request, url, body, response);
  }

  private async ofMachine(request: IncomingMessage, url: URL, body: object, response: ServerResponse): Promise<void> {
    if (url.pathname === MACHINE_PATHS.desired) this.desiredTimes.push(Date.now());
    const { refusal } = this;
    if (refusal !== null) return send(response, refusal.status, refusal, refusal.headers);
    if (url.pathname === MACHINE_PATHS.join) return this.join(body as JoinRequest, response);
    if (url.pathname === MACHINE_PATHS.programs) return this.sendPrograms(request, response);
    if (!this.isMachine(request)) return send(response, 401, { code: 'unauthenticated' });
    if (url.pathname === MACHINE_PATHS.status) {
      const refused = this.statusRefusal(body as MachineStatus);
      if (refused !== null) return send(response, refused.status, refused, refused.headers);
      this.statuses.push(body as MachineStatus);
      return send(response, 200, this.common());
    }
    const held = Number(url.searchParams.get('since'));
    const isNewer = (): boolean => this.document !== null && this.document.generation !== held;
    if (!isNewer()) await this.park(response);
    if (this.refusal !== null) return send(response, this.refusal.status, this.refusal, this.refusal.headers);
    if (isNewer()) return send(response, 200, { ...this.common(), document: this.document });
    response.writeHead(204, { 'ld-server-time': this.common().server_time }).end();
  }

  private sendPrograms({ headers }: IncomingMessage, response: ServerResponse): void {
    if (headers.authorization !== `Bearer join ${JOIN_TOKEN}`) return send(response, 401, {});
    const lines = Object.entries(this.programs).map(([name, { sha256, entry }]) => `${name} ${sha256} ${entry}\n`);
    response.writeHead(200, { 'content-type': 'text/plain' }).end(lines.join(''));
  }

  private join(body: JoinRequest, response: ServerResponse): void {
    this.joins.push(body);
    const isSame = this.credentialHash === null || this.credentialHash === body.credential_hash;
    if (body.token !== JOIN_TOKEN || !isSame) return send(response, 401, { code: 'unauthenticated' });
    this.credentialHash = body.credential_hash;
    if (this.joinAnswersToLose > 0) {
      this.joinAnswersToLose -= 1;
      response.destroy();
      return;
    }
    send(response, 200, { ...this.common(), ...this.machine });
  }

  private artifact({ headers }: IncomingMessage, url: URL, response: ServerResponse): void {
    this.artifactReaders.push(headers.authorization ?? '');
    const artifact = this.artifacts.get(url.pathname.split('/').at(-1) ?? '');
    const isReader = headers.authorization === `Bearer join ${JOIN_TOKEN}` || this.isMachine({ headers });
    if (!artifact || !isReader) return send(response, isReader ? 404 : 401, {});
    const first = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0);
    sendFrom(first, artifact, response);
  }

  private async ofNode(request: IncomingMessage, url: URL, body: object, response: ServerResponse): Promise<void> {
    if (url.pathname === '/agent/v1/register') return this.register(body as RegisterRequest, response);
    const [id, secret = ''] = (request.headers.authorization ?? '').replace('Bearer ', '').split('.');
    const nodeId = Number(id);
    if (this.nodeHashes.get(nodeId) !== sha256(secret)) return send(response, 401, { code: 'unauthenticated' });
    if (url.pathname === '/agent/v1/status') this.nodeStatuses.push({ ...(body as StatusRequest), node_id: nodeId });
    const spec = this.specs.get(nodeId);
    if (url.pathname !== '/agent/v1/desired' || spec === undefined || url.searchParams.get('since') !== '0') {
      if (request.method === 'GET') await this.park(response);
      return send(response, 200, { ...this.common(), requests: [] });
    }
    const document = { node_id: nodeId, timeline: 1, generation: 1, hash: canonicalHash(spec), epoch: 7, spec };
    send(response, 200, { ...this.common(), document });
  }

  private register(body: RegisterRequest, response: ServerResponse): void {
    this.registrations.push(body);
    if (body.token !== `token of node ${body.node_id}`) return send(response, 401, { code: 'unauthenticated' });
    this.nodeHashes.set(body.node_id, body.credential_hash);
    send(response, 200, { ...this.common(), node_id: body.node_id, epoch: 7 });
  }

  private isMachine({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
    const [, secret = ''] = /^Bearer machine 3\.(.+)$/.exec(headers.authorization ?? '') ?? [];
    return this.credentialHash !== null && sha256(secret) === this.credentialHash;
  }

  private park(response: ServerResponse): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        this.parked.delete(end);
        resolve();
      };
      this.parked.add(end);
      response.once('close', end);
    });
  }

  private common(): { server_time: string } {
    return { server_time: new Date(Date.now() + this.serverOffsetMs).toISOString() };
  }
}

/** The artifact from a place on, up to its cut. */
function sendFrom(first: number, { content, cutAfter }: Artifact, response: ServerResponse): void {
  if (first > 0 && first >= content.length) return void response.writeHead(416).end();
  const range = { 'content-range': `bytes ${first}-${content.length - 1}/${content.length}` };
  response.writeHead(first > 0 ? 206 : 200, { 'content-length': content.length - first, ...(first > 0 && range) });
  if (cutAfter === null) return void response.end(content.subarray(first));
  response.write(content.subarray(first, first + cutAfter));
  // The client gets these bytes, and then the end of the connection.
  response.socket?.end();
}

function parse(content: Buffer): unknown {
  return JSON.parse(content.toString());
}

function send(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  if (response.destroyed) return;
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

function sha256(text: string | Buffer): string {
  return createHash('sha256').update(text).digest('hex');
}
