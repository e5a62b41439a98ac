import { ERRORS, type ErrorCode } from '@libs/domain';
import type { OpenAPIObject } from '@nestjs/swagger';
import { problemResponse } from './error-responses.js';
import { errorsOfOperation } from '../errors/fails-with.decorator.js';
import { operationsOf } from './operations-of.js';

interface Operation {
  operationId: string;
  parameters?: { in: string; name: string }[];
  responses: Record<string, object>;
}

/**
 * Restores the operation id of each handler, because the module has added numbers. Other code looks operations up by
 * this id.
 */
export function joinPaths(document: OpenAPIObject): void {
  for (const { operation } of operationsOf(document))
    operation.operationId = operation.operationId.replace(/\[\d+\]$/, '');
}

/**
 * A handler can have several paths, one for each kind of owner (C-24.3), but is declared once. Gives each of its
 * operations a unique id. Removes the ids that its path does not have, together with their "not found" errors.
 */
export function tellPathsApart(document: OpenAPIObject): OpenAPIObject {
  const operationIds = new Set<string>();
  for (const { path, operation } of operationsOf<Operation>(document)) {
    dropForeignIds(path, operation);
    if (operationIds.has(operation.operationId)) operation.operationId += `_in_${ownerOf(path)}`;
    operationIds.add(operation.operationId);
  }
  return document;
}

/** `/tenants/{tenant_id}/divisions/{division_id}/channels` → `division`. */
const ownerOf = (path: string): string => (path.includes('{division_id}') ? 'division' : 'tenant');

function dropForeignIds(path: string, operation: Operation): void {
  const isForeign = ({ in: place, name }: { in: string; name: string }): boolean =>
    place === 'path' && !path.includes(`{${name}}`);
  const foreign = (operation.parameters ?? []).filter(isForeign).map(({ name }) => notFoundOf(name));
  if (foreign.length === 0) return;
  operation.parameters = (operation.parameters ?? []).filter((parameter) => !isForeign(parameter));
  const codes = errorsOfOperation(operation.operationId).filter((code) => ERRORS[code].status === 404);
  operation.responses['404'] = {
    ...operation.responses['404'],
    ...problemResponse(codes.filter((code) => !foreign.includes(code))),
  };
}

const notFoundOf = (parameter: string): ErrorCode => `${parameter.replace(/_id$/, '')}_not_found` as ErrorCode;
