import type { App, CallOptions, EventOptions, StreamEvent } from './call-options.js';
import type { AnyPage, OperationRow, Paged } from './calls.js';
import { LandlordError, NotFoundError, UnexpectedAnswerError, WrongUseError, type ProblemError } from './errors.js';
import { followEvents } from './event-stream.js';
import type { OperationEventView, OperationView, StructureView, TenantPage } from './generated/main-types.js';
import { OPERATIONS } from './generated/operations.js';
import { operationHandle, type OperationHandle } from './operation-handle.js';
import { paged } from './pages.js';
import { prepareRequest } from './prepare-request.js';
import { withoutLogins } from './shown-url.js';
import { Supervisors } from './supervisors.js';
import { Transport, type Addressed } from './transport.js';

export interface ClientOptions {
  /** Address of the main API, such as `https://landlord.example.com`. */
  url: string;
  /** An API key, or what returns the current one. Without a key only public requests succeed. */
  apiKey?: string | (() => string | null | Promise<string | null>);
  /** The tenant of requests that name none. Default: the only tenant of the caller. */
  tenantId?: number;
  /** Address of the only Supervisor API. Default: each deployment has its own, which the main API knows. */
  supervisorUrl?: string;
  /** Headers of each request. */
  headers?: Record<string, string>;
  /** Default: the global `fetch`. */
  fetch?: typeof fetch;
  /** Milliseconds for each attempt of a request. Default: 30,000. */
  timeoutMs?: number;
  /** How often a request is repeated. Default: 2. */
  retries?: number;
  /** Milliseconds in which a call waits for work that is in its way. Default: 60,000. */
  patienceMs?: number;
  /** Receives the refusal before each wait for work that is in the way of a call. */
  onWait?: (refusal: ProblemError) => void;
}

type Given = Record<string, unknown>;
const TIMEOUT_MS = 30_000;
const RETRIES = 2;
const PATIENCE_MS = 60_000;
/** Attempts in a row to open a stream that brings no event: about two minutes, for a server that starts again. */
const STREAM_RETRIES = 15;
/** The requests of an operation, by the API that has the operation. */
const OPERATION_GROUPS = { main: 'operations', supervisor: 'runtimeOperations' } as const;

/** Sends the requests of the table. */
export class RequestSender {
  private readonly transport: Transport;
  private readonly supervisors: Supervisors;
  private readonly mainUrl: string;
  private tenant: Promise<number> | null = null;

  constructor(private readonly options: ClientOptions) {
    const { apiKey = null, headers = {}, timeoutMs = TIMEOUT_MS, retries = RETRIES } = options;
    const { patienceMs = PATIENCE_MS, onWait = () => undefined } = options;
    this.mainUrl = baseOf(options.url);
    this.transport = new Transport({
      ...{ headers, timeoutMs, retries, patienceMs, onWait },
      ...{ fetch: options.fetch ?? ((...given) => fetch(...given)) },
      apiKey: async () => (typeof apiKey === 'function' ? apiKey() : apiKey),
    });
    this.supervisors = new Supervisors(this.mainUrl, (tenantId) =>
      this.json<StructureView>(STRUCTURE, tenantId === undefined ? {} : { tenant_id: tenantId }, {}),
    );
  }

  /** What the method for the row returns. */
  send(row: OperationRow, input: Given, options: EventOptions): unknown {
    const [app, , , kind] = row;
    if (kind === 'page') return this.pages(row, input, options);
    if (kind === 'events') return this.events(row, input, options);
    if (kind === 'accepted') return this.accepted(app, row, input, options);
    if (kind === 'file') return this.request(row, input, options, async (response) => response);
    if (kind === 'empty')
      return this.request(row, input, options, async (response) => void (await response.arrayBuffer()));
    return row === STRUCTURE ? this.structure(input, options) : this.json(row, input, options);
  }

  /** The operation with the id, in the place of the request that started it. */
  operation(app: App, id: number, input: Given, options: CallOptions): OperationHandle {
    const group = OPERATION_GROUPS[app];
    const place = async () => ({ operation_id: id, tenant_id: await this.tenantOf(input) });
    const at = async (asked: CallOptions) => ({
      ...asked,
      supervisorUrl: await this.baseUrl(app, input, { ...options, ...asked }),
    });
    return operationHandle(app, id, {
      get: async (asked) => this.json<OperationView>(rowOf(group, 'get'), await place(), await at(asked)),
      events: (asked) =>
        later(async () =>
          this.events<OperationEventView>(rowOf(group, 'streamEvents'), await place(), await at(asked)),
        ),
    });
  }

  private pages(row: OperationRow, { page = 1, cursor, ...input }: Given, options: CallOptions): Paged<AnyPage> {
    const first = { page: Number(page), ...(typeof cursor === 'string' && { cursor }) };
    return paged(first, (start) =>
      this.request(row, { ...input, ...start }, options, async (response) => ({
        page: await jsonOf<AnyPage>(response),
        link: response.headers.get('link'),
      })),
    );
  }

  private json<T>(row: OperationRow, input: Given, options: CallOptions): Promise<T> {
    return this.request(row, input, options, (response) => jsonOf<T>(response));
  }

  /** The caller's own look at the tree also tells where the Supervisors are. */
  private async structure(input: Given, options: CallOptions): Promise<StructureView> {
    const structure = await this.json<StructureView>(STRUCTURE, input, options);
    this.supervisors.notice(structure);
    return structure;
  }

  private async accepted(app: App, row: OperationRow, input: Given, options: CallOptions): Promise<object> {
    return this.request(row, input, options, async (response) => {
      const answer = response.status === 204 ? idsOf(response.headers) : await jsonOf<object>(response);
      const id = Number(response.headers.get('ld-operation'));
      const get = (): OperationHandle => {
        if (id > 0) return this.operation(app, id, input, options);
        throw new UnexpectedAnswerError(response, 'no operation is named');
      };
      return Object.defineProperty(answer, 'operation', { get, enumerable: false });
    });
  }

  private events<T>(row: OperationRow, input: Given, options: EventOptions): AsyncIterable<StreamEvent<T>> {
    const retries = options.retries ?? STREAM_RETRIES;
    return later(async () =>
      followEvents<T>(this.transport, await this.addressed(row, input, options), options, retries),
    );
  }

  private async request<T>(
    row: OperationRow,
    input: Given,
    options: CallOptions,
    read: (response: Response) => Promise<T>,
  ) {
    try {
      return await this.transport.send(await this.addressed(row, input, options), options, read);
    } catch (error) {
      // The deployment may be at another Supervisor now. A refusal other than 404 shows that this Supervisor serves the deployment.
      const isLost = error instanceof LandlordError && (!('code' in error) || error instanceof NotFoundError);
      if (row[0] === 'supervisor' && isLost) this.supervisors.forget(Number(input['deployment_id']));
      throw error;
    }
  }

  private async addressed(row: OperationRow, input: Given, options: CallOptions): Promise<Addressed> {
    const [app, , path] = row;
    const needsTenant = path.includes('{tenant_id}') && input['tenant_id'] === undefined;
    const whole = needsTenant ? { ...input, tenant_id: await this.tenantOf(input) } : input;
    const prepared = prepareRequest(row, whole);
    const url = `${await this.baseUrl(app, whole, options)}${prepared.path}`;
    return { ...prepared, url, isKeyed: row[6] };
  }

  private async baseUrl(
    app: App,
    input: Given,
    { supervisorUrl = this.options.supervisorUrl }: CallOptions,
  ): Promise<string> {
    if (app === 'main') return this.mainUrl;
    if (supervisorUrl !== undefined) return baseOf(supervisorUrl);
    const [deployment, tenant] = [input['deployment_id'], input['tenant_id'] as number | undefined];
    return baseOf(
      await (deployment === undefined
        ? this.supervisors.only(tenant)
        : this.supervisors.of(Number(deployment), tenant)),
    );
  }

  private async tenantOf(input: Given): Promise<number> {
    const given = (input['tenant_id'] as number | undefined) ?? this.options.tenantId;
    if (given !== undefined) return given;
    this.tenant ??= this.onlyTenant();
    // A failure is not kept.
    this.tenant.catch(() => (this.tenant = null));
    return this.tenant;
  }

  private async onlyTenant(): Promise<number> {
    const { items, total_results } = await this.json<TenantPage>(rowOf('tenants', 'list'), {}, {});
    const [first] = items;
    if (first !== undefined && total_results === 1) return first.id;
    throw new WrongUseError(`tenant_id is missing, and the caller has ${total_results} tenants. Set tenantId.`);
  }
}

function rowOf(group: string, name: string): OperationRow {
  const row = OPERATIONS[group]?.[name];
  if (!row) throw new TypeError(`The documents have no ${group}.${name}.`);
  return row;
}

/** The request that names the Supervisors. */
const STRUCTURE = rowOf('tenants', 'getStructure');

/** @throws WrongUseError for an address that requests cannot be sent to */
function baseOf(url: string): string {
  if (!URL.canParse(url) || !/^https?:/i.test(url))
    throw new WrongUseError(`"${withoutLogins(url)}" is not an address that begins with http:// or https://.`);
  return new URL(url).href.replace(/\/+$/, '');
}

/** The ids in the headers of an answer without a body: `ld-backup: 7` is `backup_id`. */
function idsOf(headers: Headers): Record<string, number> {
  const ids: Record<string, number> = {};
  headers.forEach((value, name) => {
    const [, resource] = /^ld-(?!request$|operation$)(.+)$/.exec(name) ?? [];
    if (resource !== undefined && /^\d+$/.test(value)) ids[`${resource.replaceAll('-', '_')}_id`] = Number(value);
  });
  return ids;
}

async function jsonOf<T>(response: Response): Promise<T> {
  const text = await response.text();
  try {
    return JSON.parse(text) as T;
  } catch {
    throw new UnexpectedAnswerError(response, 'the answer is not JSON');
  }
}

/** An iterable whose source is found at its first use. */
async function* later<T>(source: () => Promise<AsyncIterable<T>>): AsyncGenerator<T> {
  yield* await source();
}
