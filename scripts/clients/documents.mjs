import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../build-stamp.mjs';

/** The descriptions of both APIs as they are published, by the name of the API in the SDK. */
export const publishedDocuments = () =>
  Object.fromEntries(
    Object.entries({ main: 'main-api', supervisor: 'supervisor' }).map(([name, app]) => [
      name,
      JSON.parse(readFileSync(join(ROOT, `contract/openapi.${app}.json`), 'utf8')),
    ]),
  );

/** The same, with the values of each named enum at the members that have them. */
export const readDocuments = () =>
  Object.fromEntries(Object.entries(publishedDocuments()).map(([name, document]) => [name, withInlineEnums(document)]));

function withInlineEnums(document) {
  const schemas = Object.entries(document.components.schemas);
  const enums = new Map(schemas.filter(([, schema]) => schema.enum).map(([name, schema]) => [SCHEMAS + name, schema]));
  const inline = (value) => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(inline);
    const { $ref, allOf, anyOf, ...rest } = value;
    const named = enums.get($ref ?? (allOf ?? anyOf)?.[0]?.$ref);
    if (!named) return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, inline(inner)]));
    const values = { type: named.type, enum: named.enum };
    return { ...rest, ...(anyOf ? { type: [named.type, 'null'], enum: [...named.enum, null] } : values) };
  };
  const others = Object.fromEntries(schemas.filter(([, schema]) => !schema.enum));
  return inline({ ...document, components: { ...document.components, schemas: others } });
}

const SCHEMAS = '#/components/schemas/';

/** Follows a reference within the document. */
export function resolve(document, value) {
  if (!value?.$ref) return value;
  const [, , section, name] = value.$ref.split('/');
  return resolve(document, document.components[section][name]);
}

/** All operations of all documents, sorted by id. `parameters` and `body` (a schema, or undefined) are resolved. */
export function operationsOf(documents) {
  return Object.entries(documents)
    .flatMap(([app, document]) =>
      Object.entries(document.paths).flatMap(([path, item]) =>
        Object.entries(item).map(([method, operation]) => {
          const [group, name] = operation.operationId.split('.');
          const parameters = (operation.parameters ?? []).map((one) => resolve(document, one));
          const content = resolve(document, operation.requestBody)?.content['application/json'];
          const body = resolve(document, content?.schema);
          return { app, document, group, name, path, method: method.toUpperCase(), operation, parameters, body };
        }),
      ),
    )
    .sort((a, b) => (a.operation.operationId < b.operation.operationId ? -1 : 1));
}

/** By the value of a member, in the order of the first of each. */
export function groupedBy(all, member) {
  const groups = new Map();
  for (const one of all) groups.set(one[member], [...(groups.get(one[member]) ?? []), one]);
  return groups;
}
