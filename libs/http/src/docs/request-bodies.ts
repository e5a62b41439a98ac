import type { INestApplication, Type } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type { OpenAPIObject } from '@nestjs/swagger';
import { operationIdOf } from '../errors/fails-with.decorator.js';
import { exampleOf } from './example.decorator.js';
import { operationsOf } from './operations-of.js';
import { inputClasses } from '../input/input-classes.js';
import { membersOf } from '../input/members.js';
import { UpdateDto } from '../input/update.dto.js';

interface Schema {
  required?: string[];
  additionalProperties?: boolean;
  examples?: object[];
}
interface Operation {
  operationId: string;
  requestBody?: { required?: boolean };
}

/**
 * Describes the validation of each body. Members that no class declares are refused, except in an update, which accepts
 * the other members of its record unchanged. A body without required members may be omitted. Each has the example of its class.
 */
export function describeBodies(document: OpenAPIObject, app: INestApplication): void {
  const schemas = (document.components?.schemas ?? {}) as Record<string, Schema>;
  const bodies = bodiesOf(app);
  for (const type of bodies.values()) {
    close(type, schemas);
    const example = exampleOf(type);
    const schema = schemas[type.name];
    if (schema && example) schema.examples = [example];
  }
  for (const { operation } of operationsOf<Operation>(document)) {
    const type = bodies.get(operation.operationId);
    if (type && operation.requestBody) operation.requestBody.required = (schemas[type.name]?.required ?? []).length > 0;
  }
}

function close(type: Type<object>, schemas: Record<string, Schema>): void {
  const schema = schemas[type.name];
  if (schema && !(type.prototype instanceof UpdateDto)) schema.additionalProperties = false;
  for (const { nested } of membersOf(type).values()) if (nested) close(nested.type, schemas);
}

/** Returns the classes of bodies by the id of their operation. */
function bodiesOf(app: INestApplication): Map<string, Type<object>> {
  const controllers = [...app.get(ModulesContainer).values()].flatMap((module) =>
    [...module.controllers.values()].map(({ metatype }) => metatype as Type),
  );
  return new Map(controllers.flatMap(bodiesOfController));
}

const bodiesOfController = (controller: Type): [string, Type<object>][] =>
  Object.getOwnPropertyNames(controller.prototype).flatMap((method): [string, Type<object>][] => {
    const { body } = inputClasses(controller, method);
    return body ? [[operationIdOf(controller.name, method), body]] : [];
  });
