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
  name: string;
  in: string;
  description?: string;
  schema?: Schema;
}
export interface Response {
  description?: string;
  headers?: Record<string, { schema?: Schema }>;
  content?: Record<string, { schema?: Schema }>;
}
export interface Operation {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema?: Schema }> };
  responses: Record<string, Response>;
  security?: Record<string, string[]>[];
}
export interface OpenApiDocument extends Json {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; securitySchemes: Record<string, Json> };
}

export interface NamedOperation extends Operation {
  /** `get /path`. */
  title: string;
}

export const operationsOf = (document: OpenApiDocument): NamedOperation[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, title: `${method} ${path}` })),
  );

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
  JSON.parse(readFileSync(join(ROOT, `test/golden/openapi.${app}.json`), 'utf8')) as OpenApiDocument;
