import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Schema {
  $ref?: string;
  type?: string;
  format?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
  allOf?: Schema[];
  oneOf?: Schema[];
  additionalProperties?: Schema | boolean;
}
interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  schema?: Schema;
}
interface Operation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema?: Schema }> };
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> };
}

/** `Operation member` for each member of a body and each query parameter that contains ids; from the golden files. */
export function idMembers(): string[] {
  return ['main-api', 'supervisor'].flatMap((app) => {
    const file = join(import.meta.dirname, `../../../contract/openapi.${app}.json`);
    const document = JSON.parse(readFileSync(file, 'utf8')) as Document;
    return Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).flatMap((operation) => membersOf(operation, document).map((name) => `${app} ${name}`)),
    );
  });
}

function membersOf({ operationId, parameters, requestBody }: Operation, document: Document): string[] {
  const shared = document.components.parameters;
  const inQuery = (parameters ?? [])
    .map((one) => (one.$ref ? (shared[one.$ref.split('/').at(-1) ?? ''] ?? one) : one))
    .filter((one) => one.in === 'query' && isId(one.schema))
    .map(({ name }) => name);
  const bodies = Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => idsIn(schema, document));
  return [...new Set([...inQuery, ...bodies])].map((name) => `${operationId} ${name}`);
}

function idsIn(schema: Schema | undefined, document: Document, path = ''): string[] {
  if (!schema) return [];
  if (schema.$ref) return idsIn(document.components.schemas[schema.$ref.split('/').at(-1) ?? ''], document, path);
  if (isId(schema)) return [path];
  const below = Object.entries(schema.properties ?? {}).flatMap(([name, member]) =>
    idsIn(member, document, path === '' ? name : `${path}.${name}`),
  );
  const parts = [...(schema.allOf ?? []), ...(schema.oneOf ?? [])].flatMap((part) => idsIn(part, document, path));
  // The keys of a map with permissions as values are ids.
  const isKeyed = path.endsWith('divisions') || path.endsWith('environments');
  return [...below, ...parts, ...(isKeyed && typeof schema.additionalProperties === 'object' ? [path] : [])];
}

const isId = (schema: Schema | undefined): boolean =>
  schema?.format === 'int64' || (schema?.items !== undefined && isId(schema.items)) || (schema?.oneOf ?? []).some(isId);
