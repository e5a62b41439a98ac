import type { OpenAPIObject } from '@nestjs/swagger';
import { deprecationOfOperation } from '../routes/deprecated.decorator.js';
import { operationsOf } from './operations-of.js';

interface Operation {
  operationId: string;
  deprecated?: boolean;
  description?: string;
  responses: Record<string, { headers?: object }>;
}

const HEADERS = {
  deprecation: {
    description: 'Since when the operation is deprecated (RFC 9745), in seconds since 1970.',
    schema: { type: 'string', pattern: '^@\\d+$' },
  },
  sunset: {
    description: 'From when a release may remove the operation (RFC 8594).',
    schema: { type: 'string' },
  },
};

/** Marks the operations of deprecated routes, and says in their description what to use instead. */
export function markDeprecated(document: OpenAPIObject): OpenAPIObject {
  for (const { operation } of operationsOf<Operation>(document)) {
    const deprecation = deprecationOfOperation(operation.operationId);
    if (!deprecation) continue;
    const { since, sunset, instead } = deprecation;
    operation.deprecated = true;
    operation.description = `${operation.description}\n\nDeprecated since ${since}. A release after ${sunset} removes it. ${instead}`;
    for (const response of Object.values(operation.responses)) response.headers = { ...response.headers, ...HEADERS };
  }
  return document;
}
