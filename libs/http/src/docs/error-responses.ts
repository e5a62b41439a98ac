import { ERRORS, type ErrorCode } from '@libs/domain';
import type { OpenAPIObject } from '@nestjs/swagger';
import { errorsOfOperation } from '../errors/fails-with.decorator.js';
import { PROBLEM_TYPE } from '../errors/problem.js';
import { nameOfRefusal } from './refusal-names.js';
import { operationsOf } from './operations-of.js';
import { takesSessionToken } from './session-security.js';

type Operation = {
  operationId: string;
  summary?: string;
  description?: string;
  'x-permission'?: string;
  security?: Record<string, string[]>[];
  responses: Record<string, { description?: string }>;
};

/** Refusals that every route may return. */
const ALWAYS: readonly ErrorCode[] = ['internal_error', 'service_busy', 'storage_full'];

/** Adds to each operation the refusals that its handler declares. */
export function addErrorResponses(document: OpenAPIObject): OpenAPIObject {
  for (const { operation, method } of operationsOf<Operation>(document)) complete(operation, method);
  const schemas = (document.components ??= {}).schemas ?? {};
  document.components.schemas = { ...schemas, Problem: PROBLEM_SCHEMA, FieldIssue: FIELD_ISSUE_SCHEMA };
  return document;
}

function complete(operation: Operation, method: string): void {
  describeOperation(operation);
  dropGuesses(operation);
  const ofSessions: ErrorCode[] = takesSessionToken(operation, method) ? ['csrf_token_invalid'] : [];
  const codes = [...new Set([...ALWAYS, ...errorsOfOperation(operation.operationId), ...ofSessions])];
  for (const status of new Set(codes.map((code) => ERRORS[code].status)))
    operation.responses[String(status)] = problemResponse(codes.filter((code) => ERRORS[code].status === status));
}

/** The comment of the handler is the description; its first sentence is the summary. */
function describeOperation(operation: Operation): void {
  const comment = operation.summary ?? '';
  const permission = operation['x-permission'];
  operation.description = [comment, permission && `Needs the permission \`${permission}\`.`]
    .filter(Boolean)
    .join('\n\n');
  operation.summary = comment.split(/[.;:,] /)[0]?.replace(/\.$/, '') ?? comment;
}

/** The compiler plugin guesses a success response from the method. The decorators of this project always describe theirs. */
function dropGuesses({ responses }: Operation): void {
  for (const [status, { description }] of Object.entries(responses)) if (!description) delete responses[status];
}

export function problemResponse(codes: ErrorCode[]): { description: string; content: object } {
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].title}.`).join(' '),
    content: {
      [PROBLEM_TYPE]: {
        schema: {
          // Generators name the type of the refusal so.
          title: `${nameOfRefusal(codes)}Problem`,
          allOf: [{ $ref: '#/components/schemas/Problem' }, { properties: { code: { enum: codes } } }],
        },
      },
    },
  };
}

const FIELD_ISSUE_SCHEMA = {
  type: 'object' as const,
  description: 'One fault of the request.',
  required: ['path', 'code', 'reason'],
  properties: {
    path: { type: 'string' as const, description: 'JSON pointer to the member.' },
    code: { type: 'string' as const, description: 'The rule that is broken.' },
    reason: { type: 'string' as const, description: 'Why the member is refused.' },
  },
};

const PROBLEM_SCHEMA = {
  type: 'object' as const,
  description: 'Every refusal (RFC 9457).',
  required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'retryable'],
  properties: {
    type: { type: 'string' as const, description: 'Always `about:blank`: the member `code` identifies the error.' },
    title: { type: 'string' as const, description: 'What the code means, the same for every request.' },
    status: { type: 'integer' as const, description: 'The HTTP status.' },
    detail: { type: 'string' as const, description: 'What is wrong with this request.' },
    instance: { type: 'string' as const, description: 'Equals the header ld-request.' },
    code: { type: 'string' as const, description: 'Stable, machine-readable.' },
    retryable: { type: 'boolean' as const, description: 'Whether the same request may succeed later.' },
    outcome: {
      type: 'string' as const,
      enum: ['unknown'],
      description:
        'Only with 503: the connection to the database ended while the change was being stored. Without this member, a refusal has changed nothing.',
    },
    field_issues: {
      type: 'array' as const,
      items: { $ref: '#/components/schemas/FieldIssue' },
      description: 'All faults of the request. Absent when the refusal is not about members.',
    },
  },
};
