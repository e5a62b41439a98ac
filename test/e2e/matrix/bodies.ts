import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describedPath, type Cell } from './routes.js';

/** A JSON schema in the form that our API documents use. */
export interface BodySchema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  allOf?: BodySchema[];
  anyOf?: BodySchema[];
  oneOf?: BodySchema[];
  items?: BodySchema;
  properties?: Record<string, BodySchema>;
  required?: string[];
  enum?: unknown[];
}
interface Operation {
  parameters?: { name: string; in: string; schema: BodySchema }[];
  requestBody?: { content: Record<string, { schema: BodySchema }> };
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, BodySchema> };
}

/** A member of a body, at any level, from the API description. */
export interface BodyMember {
  /** Names from the root. */
  path: string[];
  schema: BodySchema;
  isNullable: boolean;
}

const documents = new Map<string, Document>();

function documentOf(app: Cell['app']): Document {
  const file = join(import.meta.dirname, `../../../contract/openapi.${app}.json`);
  const document = documents.get(app) ?? (JSON.parse(readFileSync(file, 'utf8')) as Document);
  documents.set(app, document);
  return document;
}

const operationOf = ({ app, path, method }: Cell): Operation | undefined =>
  documentOf(app).paths[describedPath(path)]?.[method.toLowerCase()];

/** The members of the query of a route. */
export const queryMembers = (cell: Cell): { name: string; schema: BodySchema }[] =>
  (operationOf(cell)?.parameters ?? []).filter(({ in: place }) => place === 'query');

/** The members of the body of a route, including members of its objects; empty for a route without a body. */
export function bodyMembers(cell: Cell): BodyMember[] {
  const document = documentOf(cell.app);
  const body = operationOf(cell)?.requestBody;
  return Object.values(body?.content ?? {}).flatMap(({ schema }) => membersIn(schema, document, []));
}

function membersIn(schema: BodySchema, document: Document, above: string[]): BodyMember[] {
  const { properties = {} } = resolved(schema, document);
  return Object.entries(properties).flatMap(([name, member]) => {
    const path = [...above, name];
    const own = { path, schema: resolved(member, document), isNullable: isNullable(member, document) };
    return [own, ...membersIn(member, document, path)];
  });
}

/** The object behind references and `allOf`; for alternatives, the one that is not null. */
function resolved(schema: BodySchema, document: Document): BodySchema {
  if (schema.$ref) return resolved(document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}, document);
  const parts = [...(schema.allOf ?? []), ...(schema.anyOf ?? schema.oneOf ?? [])].map((part) =>
    resolved(part, document),
  );
  return Object.assign({}, ...parts.filter(({ type }) => type !== 'null'), schema) as BodySchema;
}

function isNullable(schema: BodySchema, document: Document): boolean {
  if (schema.$ref) return isNullable(document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}, document);
  return (
    [schema.type].flat().includes('null') ||
    (schema.anyOf ?? schema.oneOf ?? []).some((part) => isNullable(part, document))
  );
}

/** A copy of the body with one member replaced; null where the body has no object to put the member into. */
export function withMember(body: object | undefined, path: readonly string[], value: unknown): object | null {
  const copy = structuredClone(body ?? {}) as Record<string, unknown>;
  let place = copy;
  for (const name of path.slice(0, -1)) {
    const next = place[name];
    if (typeof next !== 'object' || next === null || Array.isArray(next)) return null;
    place = next as Record<string, unknown>;
  }
  place[path.at(-1) ?? ''] = value;
  return copy;
}
