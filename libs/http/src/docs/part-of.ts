import type { OpenAPIObject } from '@nestjs/swagger';

/** A part of an API with its own description: the operations with some of the tags. */
export interface ApiPart {
  /** Used in the address of its description: /openapi/<name>.json. */
  name: string;
  title: string;
  description: string;
  /** Whether operations with this tag belong to the part. */
  hasTag: (tag: string) => boolean;
}

type Operation = { tags?: string[] };
type Json = Record<string, unknown>;

const SCHEMA_PREFIX = '#/components/schemas/';

/** Returns the complete description of one part: its operations, and the schemas that they use. */
export function partOf(document: OpenAPIObject, part: ApiPart): OpenAPIObject {
  const paths = ownOf(document.paths, part);
  const webhooks = ownOf(document.webhooks ?? {}, part);
  const schemas = (document.components?.schemas ?? {}) as Record<string, Json>;
  const used = reachable(paths, schemas);
  return {
    ...document,
    info: { ...document.info, title: part.title, description: part.description },
    paths,
    webhooks,
    components: {
      ...document.components,
      schemas: Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name))),
    },
  };
}

/** Returns the operations with the tags of the part. */
const ownOf = (paths: OpenAPIObject['paths'], part: ApiPart): OpenAPIObject['paths'] =>
  Object.fromEntries(
    Object.entries(paths).flatMap(([path, methods]) => {
      const own = Object.entries(methods as Record<string, Operation>).filter(([, { tags }]) =>
        tags?.some(part.hasTag),
      );
      return own.length > 0 ? [[path, Object.fromEntries(own)] as const] : [];
    }),
  );

/** Returns the names of the schemas that `from` refers to, directly and indirectly. */
function reachable(from: unknown, schemas: Record<string, Json>, found = new Set<string>()): Set<string> {
  for (const name of referencesIn(from)) {
    if (found.has(name)) continue;
    found.add(name);
    reachable(schemas[name], schemas, found);
  }
  return found;
}

function referencesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$ref' && typeof inner === 'string' ? [inner.replace(SCHEMA_PREFIX, '')] : referencesIn(inner),
  );
}
