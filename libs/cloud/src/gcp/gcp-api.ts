import type { Place } from '../cloud-provider.js';
import { readPlaceAccount } from '../customer-account.js';
import type { CallClass, CallPermits } from '../driver/call-permits.js';
import { collectionOf } from './gcp-names.js';
import { cloudErrorOf, isInUse, isMissing, type GoogleCall } from './gcp-refusal.js';
import { askGoogle } from './google-request.js';
import type { GcpPage, GcpResource, GcpZonedPage, Operation } from './gcp-shapes.js';

const GOOGLE = 'https://compute.googleapis.com';
/** Names in one filter, so that the URL of a list stays below 8 KB. */
const NAMES_AT_ONCE = 100;
export const ON_A_PAGE = 200;

/** Gives the token for a call. */
export interface GcpTokens {
  /** @throws CloudError `denied` when Google refuses the access */
  tokenFor(at: Place): Promise<string>;
  /** Google has refused a call in the project of a customer, which began at this time (milliseconds since the epoch). */
  refused(at: Place, begunAt: number): void;
}

export interface GcpConnection {
  /** Instead of the hosts of Google, for tests and private endpoints. */
  endpoint?: string | undefined;
  /** The project of the operator. */
  project: string;
  permits: CallPermits;
  tokens: GcpTokens;
}

interface CallOptions {
  query?: Record<string, string>;
  body?: object;
  asked?: { what: string; zone: string | null };
}

/** Compute Engine in one project and region. Every failure is a CloudError that keeps what Google has said as its cause. */
export class GcpApi {
  readonly project: string;

  constructor(
    private readonly connection: GcpConnection,
    readonly at: Place,
  ) {
    this.project = at.account === null ? connection.project : readPlaceAccount(at.account).accountId;
  }

  /** Where calls fail, for their refusals. */
  get place(): Pick<GoogleCall, 'isOfCustomer' | 'project'> {
    return { isOfCustomer: this.at.account !== null, project: this.project };
  }

  /** `projects/p/global`. */
  get global(): string {
    return `projects/${this.project}/global`;
  }

  get regional(): string {
    return `projects/${this.project}/regions/${this.at.region}`;
  }

  zonal(zone: string): string {
    return `projects/${this.project}/zones/${zone}`;
  }

  /** The resource at the path, or null when it does not exist. */
  async find<T = GcpResource>(path: string): Promise<T | null> {
    return ifThere(this.get<T>(path));
  }

  get<T>(path: string, query: Record<string, string> = {}): Promise<T> {
    return this.call<T>('GET', path, { query });
  }

  post(path: string, options: CallOptions): Promise<Operation> {
    return this.call('POST', path, options);
  }

  patch(path: string, options: CallOptions): Promise<Operation> {
    return this.call('PATCH', path, options);
  }

  delete(path: string, options: CallOptions): Promise<Operation> {
    return this.call('DELETE', path, options);
  }

  /** What exists of these resources, by path: one call for each hundred names of a collection. */
  async findAll<T extends GcpResource>(paths: readonly string[]): Promise<Map<string, T>> {
    const resources = new Map<string, T>();
    for (const [collection, some] of byCollection(paths))
      for (let from = 0; from < some.length; from += NAMES_AT_ONCE)
        for (const one of await this.named<T>(collection, some.slice(from, from + NAMES_AT_ONCE)))
          resources.set(`${collection}/${one.name}`, one);
    return resources;
  }

  /** A page of a collection. `token`: of the page before. */
  list<T>(collection: string, filter: string, token: string | null = null): Promise<GcpPage<T>> {
    return this.get(collection, pageQuery(filter, token));
  }

  /** A page of the resources of all zones, with those of the other regions left out. */
  async listInZones<T extends { zone?: string }>(
    kind: 'instances' | 'disks',
    filter: string,
    token: string | null = null,
  ): Promise<{ items: T[]; next: string | null }> {
    const path = `projects/${this.project}/aggregated/${kind}`;
    const page = await this.get<GcpZonedPage>(path, pageQuery(filter, token));
    const items = Object.entries(page.items ?? {})
      .filter(([zone]) => zone.startsWith(`zones/${this.at.region}-`))
      .flatMap(([, scope]) => (scope[kind] ?? []) as T[]);
    return { items, next: page.nextPageToken ?? null };
  }

  private async named<T extends GcpResource>(collection: string, paths: readonly string[]): Promise<T[]> {
    const [first] = paths;
    if (paths.length === 1 && first !== undefined) {
      const one = await this.find<T>(first);
      return one ? [one] : [];
    }
    const filter = paths.map((path) => `(name = "${path.slice(collection.length + 1)}")`).join(' OR ');
    return (await this.list<T>(collection, filter)).items ?? [];
  }

  private async call<T>(method: string, path: string, { query = {}, body, asked }: CallOptions): Promise<T> {
    const { endpoint = GOOGLE, permits, tokens } = this.connection;
    const { account } = this.at;
    await permits.take({ account, region: '', class: classOf(method, path) });
    const begunAt = Date.now();
    const call = { action: actionOf(method, path), ...this.place, ...(asked && { asked }) };
    const token = await tokens.tokenFor(this.at);
    const url = `${endpoint}/compute/v1/${path}?${new URLSearchParams(query).toString()}`;
    const answer = await askGoogle({ method, url, token, body, action: call.action });
    if (answer.fault === null) return answer.body as T;
    const error = cloudErrorOf(answer.fault, call);
    if (account !== null && error.code === 'denied') tokens.refused(this.at, begunAt);
    throw error;
  }
}

function byCollection(paths: readonly string[]): Map<string, string[]> {
  const collections = new Map<string, string[]>();
  for (const path of paths) {
    const collection = collectionOf(path);
    const some = collections.get(collection);
    if (some) some.push(path);
    else collections.set(collection, [path]);
  }
  return collections;
}

/** The result of the call, or null when the resource does not exist. */
export async function ifThere<T>(call: Promise<T>): Promise<T | null> {
  return call.catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw error;
  });
}

/** The result of the call, or null when another resource is in the way now. */
export async function unlessInUse<T>(call: Promise<T>): Promise<T | null> {
  return call.catch((error: unknown) => {
    if (isInUse(error)) return null;
    throw error;
  });
}

const pageQuery = (filter: string, token: string | null): Record<string, string> => ({
  ...{ filter, maxResults: String(ON_A_PAGE) },
  ...(token !== null && { pageToken: token }),
});

/** The resource of a call in words: `POST disks`, `POST instances/attachDisk`. */
function actionOf(method: string, path: string): string {
  const parts = path.split('/').slice(path.includes('/global/') ? 3 : 4);
  return [method, [parts[0], parts[2]].filter(Boolean).join('/')].join(' ');
}

function classOf(method: string, path: string): CallClass {
  if (method === 'GET') return 'read';
  return path.endsWith('/instances') ? 'run' : 'write';
}
