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

/** The kinds of components that operations refer to. */
const SECTIONS = ['schemas', 'responses', 'parameters', 'headers'] as const;
const PREFIX = '#/components/';

/** Returns the complete description of one part: its operations, and the components that they use. */
export function partOf(document: OpenAPIObject, part: ApiPart): OpenAPIObject {
  const paths = ownOf(document.paths, part);
  const webhooks = ownOf(document.webhooks ?? {}, part);
  const components = (document.components ?? {}) as Record<string, Record<string, Json>>;
  const used = reachable(paths, components);
  const usedOf = (section: string): object =>
    Object.fromEntries(Object.entries(components[section] ?? {}).filter(([name]) => used.has(`${section}/${name}`)));
  return {
    ...document,
    info: { ...document.info, title: part.title, description: part.description },
    tags: (document.tags ?? []).filter(({ name }) => part.hasTag(name)),
    paths,
    webhooks,
    components: { ...document.components, ...Object.fromEntries(SECTIONS.map((one) => [one, usedOf(one)])) },
  };
}

/** Returns the operations with the tags of the part. */
const ownOf = (paths: OpenAPIObject['paths'], part: ApiPart): OpenAPIObject['paths'] =>
  Object.fromEntries(
    Object.entries(paths).flatMap(([path, methods]) => {
      const operations = Object.entries(methods as Record<string, Operation>).filter(([, { tags }]) =>
        tags?.some(part.hasTag),
      );
      return operations.length > 0 ? [[path, Object.fromEntries(operations)] as const] : [];
    }),
  );

/** Returns the components that `from` refers to, directly and indirectly, such as `schemas/TenantView`. */
function reachable(
  from: unknown,
  components: Record<string, Record<string, Json>>,
  names = new Set<string>(),
): Set<string> {
  for (const reference of referencesIn(from)) {
    if (names.has(reference)) continue;
    names.add(reference);
    const [section = '', name = ''] = reference.split('/');
    reachable(components[section]?.[name], components, names);
  }
  return names;
}

function referencesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$ref' && typeof inner === 'string' ? [inner.replace(PREFIX, '')] : referencesIn(inner),
  );
}
