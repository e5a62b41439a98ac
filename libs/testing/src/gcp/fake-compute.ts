import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GoogleDocument, type GoogleRequest } from './google-document.js';
import { ComputeKinds } from './compute-kinds.js';
import { ComputeMethods } from './compute-methods.js';
import { ComputeOperations, type Failure, type Work } from './compute-operations.js';
import { callOf, lastOf, notFound, Refusal, type Call, type Resource } from './compute-places.js';
import { ComputeReads } from './compute-reads.js';
import { ComputeStore } from './compute-store.js';

const EXHAUSTED =
  'does not have enough resources available to fulfill the request. Try a different zone, or try again later.';
const ENABLE = 'https://console.developers.google.com/apis/api/compute.googleapis.com/overview?project=';

/** One for all fakes: its schemas are compiled once. */
const DOCUMENT = new GoogleDocument();

/** Compute Engine for tests: judged by Google's own schemas, with faults on demand. */
export class FakeCompute {
  /** Every request, in order. The path has the query. The status is 0 while the request is served. */
  readonly requests: { id: string; path: string; body: unknown; status: number }[] = [];
  /** Every request that Google's schemas refuse, and every answer that they refuse. */
  readonly faults: string[] = [];
  /** The permissions that a token lacks for a method. When set, a request without a token is refused. */
  authorize: ((token: string | null, project: string, methodId: string) => string[]) | null = null;
  /** Work during which the answer to a method waits. */
  readonly delays = new Map<string, () => Promise<void>>();
  private readonly store = new ComputeStore();
  private readonly methods = new ComputeMethods(this.store, new ComputeKinds(this.store));
  private readonly quotas = new Map<string, number>();
  private readonly reads = new ComputeReads(this.store, this.quotas);
  private readonly operations: ComputeOperations;
  private readonly listeners: ((event: { id: string; resource: Resource }) => void)[] = [];
  private readonly refusals = new Map<string, Refusal>();
  private readonly failures = new Map<string, Failure>();
  private readonly stockOuts = new Map<string, string>();
  private readonly closedProjects = new Set<string>();
  /** Whether every operation ends before the next request. */
  private endsAtOnce: boolean;
  private throttled = 0;
  private losesReply = false;
  private failsAfter: number | null = null;

  private constructor(
    private readonly server: Server,
    private readonly projects: readonly string[],
    operationMs: number,
  ) {
    this.operations = new ComputeOperations(operationMs);
    this.endsAtOnce = operationMs === 0;
  }

  /** `operationMs`: from PENDING to DONE. 0: an operation ends before the next request. */
  static async start({
    projects = ['landlord-test', 'their-project'],
    operationMs = 20,
    port = 0,
  }: { projects?: readonly string[]; operationMs?: number; port?: number } = {}): Promise<FakeCompute> {
    const server = createServer();
    const fake = new FakeCompute(server, projects, operationMs);
    server.on('request', (asked: IncomingMessage, response: ServerResponse) => {
      fake.serve(asked, response).catch((error: unknown) => {
        fake.faults.push(String(error));
        response.destroy();
      });
    });
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    return fake;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The number of inserts that ended well. */
  creations(collection: string, name: string): number {
    return this.store.creations.filter((one) => one === `${collection} ${name}`).length;
  }

  /** What exists in all projects, as Google shows it. */
  resources(collection: string): readonly Resource[] {
    if (this.endsAtOnce) this.operations.finishAll();
    return this.store.of(collection).flatMap((entry) => (entry.isShown ? [this.store.view(entry)] : []));
  }

  /** The next changing request has its effect, and its answer is lost. */
  loseNextReply(): void {
    this.losesReply = true;
  }

  throttle(requests: number): void {
    this.throttled = requests;
  }

  /** Takes back the faults that no request has met yet. */
  calm(): void {
    this.throttled = 0;
    this.losesReply = false;
  }

  /** So many changing requests succeed, and the one after them has no effect. */
  failHalfway(after = 1): void {
    this.failsAfter = after;
  }

  refuseNext(methodId: string, status: number, reason: string, message = 'The request was refused.'): void {
    this.refusals.set(methodId, new Refusal(status, reason, message));
  }

  /** The next operation of the method has no effect and ends with the code. */
  failNextOperation(methodId: string, code: string, message = 'The operation failed.'): void {
    this.failures.set(methodId, { code, message });
  }

  /** The zone has no more machines of the type. Null: of every type again. */
  stockOut(zone: string, machineType: string | null): void {
    if (machineType === null) this.stockOuts.delete(zone);
    else this.stockOuts.set(zone, machineType);
  }

  /** The largest number of resources in a region, or in a project for global kinds. */
  quota(collection: string, most: number): void {
    this.quotas.set(collection, most);
  }

  /** From now on, only `forgetOperations` ends operations. For a fake with `operationMs` 0. */
  holdOperations(): void {
    this.endsAtOnce = false;
  }

  /** Running operations have their effect now, and nobody finds an operation any more. */
  forgetOperations(): void {
    this.operations.forget();
  }

  disableApi(project: string): void {
    this.closedProjects.add(project);
  }

  /** What somebody else does by hand. */
  change(collection: string, name: string, change: (resource: Resource) => void): void {
    for (const entry of this.store.of(collection)) if (entry.resource.name === name) change(entry.resource);
  }

  /** What somebody else deletes by hand. */
  remove(collection: string, name: string): void {
    for (const entry of this.store.of(collection)) if (entry.resource.name === name) this.methods.remove(entry);
  }

  /** After an operation had its effect. */
  onDone(listener: (event: { id: string; resource: Resource }) => void): void {
    this.listeners.push(listener);
  }

  async stop(): Promise<void> {
    this.operations.stop();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async serve(asked: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await textOf(asked);
    const { pathname, search, searchParams: query } = new URL(asked.url!, 'http://fake');
    if (this.endsAtOnce) this.operations.finishAll();
    const path = pathname.replace(/^\/compute\/v1\//, '');
    const request = { httpMethod: asked.method!, path, query, body: text === '' ? undefined : JSON.parse(text) };
    const id = DOCUMENT.match(request)?.id ?? '';
    const noted = { id, path: path + search, body: request.body, status: 0 };
    this.requests.push(noted);
    const [status, answer] = this.answered(id, request, asked.headers.authorization?.replace(/^Bearer /, '') ?? null);
    noted.status = status;
    // The answer shows the moment before the delay.
    const said = JSON.stringify(answer);
    await this.delays.get(id)?.();
    if (status === 200 && isChange(id, request) && this.takesLoss()) return void response.destroy();
    response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8' });
    response.end(said);
  }

  /** Whether this answer is the one to lose. */
  private takesLoss(): boolean {
    const isLost = this.losesReply;
    this.losesReply = false;
    return isLost;
  }

  private answered(id: string, request: GoogleRequest, token: string | null): [number, unknown] {
    try {
      this.judge(400, 'badRequest', DOCUMENT.faultsOf(request));
      const call = callOf(id, request);
      this.refuseByAccount(call, token);
      this.refuseOnDemand(call, isChange(id, request));
      const answer = isChange(id, request) ? (this.operations.repeated(call) ?? this.begin(call)) : this.read(call);
      if (this.failsAfter !== null && isChange(id, request)) this.failsAfter -= 1;
      this.judge(500, 'internalError', DOCUMENT.faultsOfAnswer(id, answer));
      return [200, answer];
    } catch (error) {
      if (!(error instanceof Refusal)) this.faults.push(`${id}: ${(error as Error).stack}`);
      const { status, reason, message, domain } =
        error instanceof Refusal ? error : new Refusal(500, 'internalError', String(error));
      return [status, { error: { code: status, message, errors: [{ message, domain, reason }] } }];
    }
  }

  private judge(status: number, reason: string, faults: string[]): void {
    this.faults.push(...faults);
    if (faults.length > 0) throw new Refusal(status, reason, faults.join('; '));
  }

  private refuseByAccount({ id, project, link }: Call, token: string | null): void {
    const [missing] = this.authorize?.(token, project, id) ?? [];
    if (this.authorize && token === null) throw new Refusal(401, 'required', 'Login Required.');
    const text = `Compute Engine API has not been used in project ${project} before or it is disabled. Enable it by visiting`;
    if (this.closedProjects.has(project))
      throw new Refusal(403, 'accessNotConfigured', `${text} ${ENABLE}${project} then retry.`, 'usageLimits');
    if (missing !== undefined) throw new Refusal(403, 'forbidden', `Required '${missing}' permission for '${link}'`);
    if (!this.projects.includes(project) && !/-cloud$/.test(project)) throw notFound(`projects/${project}`);
  }

  private refuseOnDemand({ id }: Call, isChanging: boolean): void {
    if (this.throttled-- > 0) throw new Refusal(403, 'rateLimitExceeded', 'Rate Limit Exceeded', 'usageLimits');
    const refusal = this.refusals.get(id);
    this.refusals.delete(id);
    if (refusal) throw refusal;
    if (this.failsAfter !== 0 || !isChanging) return;
    this.failsAfter = null;
    throw new Refusal(503, 'backendError', 'Internal error. Please try again or contact Google Support.');
  }

  private read(call: Call): Resource {
    return call.collection === 'operations' ? this.operations.shown(call.link) : this.reads.answer(call);
  }

  private begin(call: Call): Resource {
    const work = this.methods.work(call);
    const { link, resource } = work.target;
    return this.operations.begin(call, work, this.failureOf(call, work), () => {
      const entry = this.store.entries.get(link);
      const event = { id: call.id, resource: entry ? this.store.view(entry) : resource };
      for (const listener of this.listeners) listener(event);
    });
  }

  private failureOf(call: Call, { target: { resource } }: Work): Failure | null {
    const { id, verb, scope, project, collection } = call;
    const failure = this.failures.get(id);
    this.failures.delete(id);
    if (failure) return failure;
    const isOut = resource.machineType && this.stockOuts.get(lastOf(scope)) === lastOf(resource.machineType);
    if (isOut && /^(insert|start)$/.test(verb))
      return {
        code: 'ZONE_RESOURCE_POOL_EXHAUSTED',
        message: `The zone 'projects/${project}/${scope}' ${EXHAUSTED}`,
        status: 503,
      };
    const target = { insert: collection, createSnapshot: 'snapshots' }[verb];
    const message =
      target === undefined
        ? null
        : this.reads.beyond(target === 'snapshots' ? { ...call, scope: 'global' } : call, target);
    return message === null ? null : { code: 'QUOTA_EXCEEDED', message, status: 403 };
  }
}

const isChange = (id: string, { httpMethod }: GoogleRequest): boolean =>
  httpMethod !== 'GET' && !id.endsWith('.listInstances');

async function textOf(asked: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of asked) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
