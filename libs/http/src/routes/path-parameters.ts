import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { ApiParam, type ApiParamOptions } from '@nestjs/swagger';
import { ERRORS, type ErrorCode } from '@libs/domain';
import { FailsWith } from '../errors/fails-with.decorator.js';
import { PATH_ID } from './path-id.decorator.js';
import type { Route } from './route.js';

/**
 * The parameters of a path below its tenant or its deployment, in the order of the API description. A name that ends with `_id` is
 * an id, whose missing resource is `<name>_not_found`. Any other name is a text, unless it has its own schema. `x-go-name`: for a name that is a package in generated Go.
 */
export type PathParameters = Readonly<
  Record<string, string | { description: string; enum?: string[]; schema?: object; 'x-go-name'?: string }>
>;

/** The resources that the guard finds by the path, from the outermost. Handlers read them from their Actor. */
const SCOPE = ['tenant_id', 'division_id', 'environment_id', 'deployment_id'];
const ID = { type: 'integer', format: 'int64', minimum: 1, maximum: Number.MAX_SAFE_INTEGER } as const;

/**
 * Documents the parameters of a path, and the errors of resources that do not exist.
 * @throws RouteFault for a parameter that nothing describes, and for an id of the handler that the path does not have
 */
export function declarePath(route: Route, described: PathParameters): void {
  const names = route.parameters;
  const undescribed = names.filter((name) => !SCOPE.includes(name) && !(name in described));
  if (undescribed.length > 0) throw route.fault(`has in its path what nothing describes: ${undescribed.join(', ')}`);
  for (const [name, description] of Object.entries(described))
    if (names.includes(name)) route.declare(ApiParam(optionsOf(name, description)));
  for (const name of SCOPE) if (names.includes(name)) route.declare(ApiParam(optionsOf(name, scopeText(name, names))));
  route.declare(FailsWith(...names.filter(isId).map((name) => notFoundOf(name, route))));
  nameIds(route);
}

function scopeText(name: string, names: readonly string[]): string {
  if (name === 'tenant_id') return 'The tenant.';
  if (name === 'division_id') return 'A division of the tenant.';
  if (name === 'environment_id') return 'An environment of the division.';
  return names.includes('environment_id') ? 'A deployment of the environment.' : 'The deployment.';
}

function optionsOf(name: string, description: PathParameters[string]): ApiParamOptions {
  if (typeof description !== 'string') return { name, ...description };
  return isId(name) ? { name, description, schema: ID } : { name, schema: { type: 'string' }, description };
}

const isId = (name: string): boolean => name.endsWith('_id');

function notFoundOf(name: string, route: Route): ErrorCode {
  const code = name.replace(/_id$/, '_not_found');
  if (!(code in ERRORS)) throw route.fault(`has the id ${name}, and no error has the code ${code}`);
  return code as ErrorCode;
}

/** A handler with one id below its scope need not name it. */
function nameIds(route: Route): void {
  const ids = route.parameters.filter((name) => isId(name) && !SCOPE.includes(name));
  const inputs = (Reflect.getMetadata(ROUTE_ARGS_METADATA, route.controller, route.name) ?? {}) as Record<
    string,
    { data?: unknown; pipes: unknown[] }
  >;
  for (const input of Object.values(inputs).filter(({ pipes }) => pipes.includes(PATH_ID))) {
    if (input.data === undefined && ids.length === 1) input.data = ids[0];
    if (!ids.includes(String(input.data)))
      throw route.fault('reads an id that its path does not have, or has several of');
  }
}
