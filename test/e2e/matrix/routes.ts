import 'reflect-metadata';
import { PERMISSIONS, type Permission } from '@libs/domain';
import { ACCESS, AUDITED, type AccessRule, type AuditRule } from '@libs/http';
import type { ApiAnswer, ApiClient } from '@libs/testing';
import { allRoutes, type AppRoute } from '../../architecture/sources/apps.js';
import type { Row } from './row.js';
import { ROWS } from './rows.js';
import type { SignedIn, World } from './world.js';

/** A route with its declarations and a valid call. */
export interface Cell extends AppRoute {
  access: AccessRule;
  /** The audit types that the route may record; null for reads. */
  audit: AuditRule | null;
  row: Row;
}

export const routeTitles = (): string[] => allRoutes().map(({ title }) => title);

/** All routes that have a row. */
export const CELLS: Cell[] = allRoutes()
  .filter(({ title }) => title in ROWS)
  .map((route) => ({
    ...route,
    access: Reflect.getMetadata(ACCESS, route.handler) as AccessRule,
    audit: (Reflect.getMetadata(AUDITED, route.handler) as AuditRule | undefined) ?? null,
    row: ROWS[route.title] as Row,
  }));

/** The path of a route as the API description writes it. */
export const describedPath = (path: string): string =>
  path.replace(/:(\w+)/g, '{$1}').replace('connector{type}{key}', 'connector:{type}:{key}');

/** The permission that the route requires, if any. */
export const permissionOf = ({ access, row }: Cell): Permission | null =>
  (row.judges as Permission | undefined) ?? (access.kind === 'permission' ? access.permission : null);

/** Whether the path names a resource below the tenant. */
export const isBelowTenant = ({ path }: Cell): boolean => /:division_id|:deployment_id/.test(path);

/** The lowest group in which a permission admits a caller to the route. */
export function lowestGroup(cell: Cell, permission: Permission): 'tenant' | 'division' | 'environment' {
  const groups: readonly string[] = PERMISSIONS[permission].groups;
  const isAnywhere = cell.access.kind === 'permission' && cell.access.anywhere;
  const isInEnvironment =
    isAnywhere || cell.row.judges !== undefined || /:environment_id|:deployment_id/.test(cell.path);
  if (isInEnvironment && groups.includes('environment')) return 'environment';
  return (isInEnvironment || isBelowTenant(cell)) && groups.includes('division') ? 'division' : 'tenant';
}

/** A call that is valid except, possibly, for its caller. */
export interface Call {
  path: string;
  /** Ids of the resources in the path. */
  ids: Record<string, string | number>;
  body: object | undefined;
  /** The permitted user, on a route for sessions only. */
  who: SignedIn | null;
}

/** Creates the resources that the call needs. */
export async function prepare({ row, path, method }: Cell, world: World): Promise<Call> {
  const { tenant_id, division_id, environment_id } = world.cloud.installation;
  const who = row.as ? await world.signedIn(row.as) : null;
  const own = (await row.path?.(world, who)) ?? {};
  const ids: Record<string, string | number> = { tenant_id, division_id, environment_id, ...own };
  const body = method === 'GET' || method === 'DELETE' ? undefined : ((await row.body?.(world, ids, who)) ?? {});
  const query = typeof row.query === 'function' ? await row.query(world, ids) : (row.query ?? '');
  return { path: `${filledPath(path, ids)}${query}`, ids, body, who };
}

/** The path of a route with ids for its parameters. */
export const filledPath = (path: string, ids: Record<string, string | number>): string =>
  path.replace(/:(\w+)/g, (_, name: string) => String(ids[name]));

/** Sends the call. Reads a stream only up to its headers. */
export async function send(cell: Cell, world: World, call: Call, key: string | null, headers = {}): Promise<ApiAnswer> {
  const client: ApiClient = cell.app === 'main-api' ? world.cloud.main(key) : world.cloud.runtime(key);
  if (/\/(events|stream)$/.test(cell.path)) return headOf(`${baseOf(cell, world)}${call.path}`, key, headers);
  return client.call(cell.method, call.path, { ...(call.body && { body: call.body }), headers });
}

const baseOf = ({ app }: Cell, { cloud }: World): string =>
  app === 'main-api' ? cloud.mainApi.url : cloud.supervisor.url;

/** The status and headers of a stream, without its body. */
export async function headOf(url: string, key: string | null, headers: object): Promise<ApiAnswer> {
  const closing = new AbortController();
  const response = await fetch(url, {
    headers: { ...(key && { 'ld-api-key': key }), ...headers },
    signal: closing.signal,
  });
  const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json') ?? false;
  const body: unknown = isProblem ? await response.json() : null;
  closing.abort();
  return { status: response.status, headers: response.headers, body };
}
