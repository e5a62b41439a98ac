import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './sources.js';

export type Json = Record<string, unknown>;
export interface Schema extends Json {
  $ref?: string;
  type?: string | string[];
  format?: string;
  properties?: Record<string, Schema>;
}
export interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
}
export interface Response {
  $ref?: string;
  description?: string;
  headers?: Record<string, { required?: boolean; schema?: Schema }>;
  content?: Record<string, { schema?: Schema }>;
}
export interface Operation {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  deprecated?: boolean;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema?: Schema }> };
  responses: Record<string, Response>;
  security?: Record<string, string[]>[];
}
export interface OpenApiDocument extends Json {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  security?: Record<string, string[]>[];
  components: {
    schemas: Record<string, Schema>;
    responses: Record<string, Response>;
    parameters: Record<string, Parameter>;
    headers: Record<string, { schema?: Schema }>;
    securitySchemes: Record<string, Json>;
  };
}

export interface NamedOperation extends Operation {
  /** `get /path`. */
  title: string;
}

/** The operations with their shared responses, parameters and headers, and with the default security of the document. */
export const operationsOf = (document: OpenApiDocument): NamedOperation[] =>
  Object.entries(inlined(document).paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...(document.security && { security: document.security }),
      ...operation,
      title: `${method} ${path}`,
    })),
  );

/** The document with the shared responses, parameters and headers in place of the references to them. */
export function inlined(document: OpenApiDocument): OpenApiDocument {
  const inline = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(inline);
    const reference = (value as { $ref?: unknown }).$ref;
    if (typeof reference === 'string' && !reference.startsWith('#/components/schemas/'))
      return inline(resolve(document, reference));
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, inline(inner)]));
  };
  return { ...document, paths: inline(document.paths) as OpenApiDocument['paths'] };
}

/** All values of this keyword, at any depth. */
export function valuesOf(value: unknown, key: string): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [...(name === key ? [inner] : []), ...valuesOf(inner, key)]);
}

export function resolve(document: OpenApiDocument, reference: string): unknown {
  const steps = reference.replace(/^#\//, '').split('/');
  return steps.reduce<unknown>((value, step) => (value as Json | undefined)?.[step], document);
}

export const readGolden = (app: string): OpenApiDocument =>
  JSON.parse(readFileSync(join(ROOT, `contract/openapi.${app}.json`), 'utf8')) as OpenApiDocument;
