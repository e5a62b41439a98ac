import type { OpenAPIObject } from '@nestjs/swagger';
import { operationsOf } from './operations-of.js';

/** The names of an app's operations where the controller and the method do not give them. */
export interface OperationNames {
  /** Controller without its suffix, such as `Starters` → resource, such as `deployments`. */
  resources: Readonly<Record<string, string>>;
  /** `<controller>_<method>` → `resource.verb`. */
  operations: Readonly<Record<string, string>>;
}

/**
 * The operation id that clients see, such as `deployments.createStarter`, for the id of a handler, such as `Starters_createStarter`.
 * Clients generate `client.resource.verb()` from these ids, so they are unique over both APIs and never change.
 */
export function operationIdOfHandler(handler: string, { resources, operations }: OperationNames): string {
  const [, base = handler, owner = ''] = /^(.*?)(?:_in_([a-z]+))?$/.exec(handler) ?? [];
  const [controller = '', method = ''] = base.split('_');
  const id = operations[base] ?? `${resources[controller] ?? lowerFirst(controller)}.${method}`;
  return owner === '' ? id : `${id}In${upperFirst(owner)}`;
}

/** Gives each operation the id that clients see. Other changes look operations up by handler, so they come before. */
export function nameOperations(document: OpenAPIObject, names: OperationNames): OpenAPIObject {
  for (const { operation } of operationsOf(document))
    operation.operationId = operationIdOfHandler(operation.operationId, names);
  return document;
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
