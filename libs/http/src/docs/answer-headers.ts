import { isRetryable, SOMETIMES_RETRYABLE, type ErrorCode } from '@libs/domain';
import type { OpenAPIObject } from '@nestjs/swagger';
import { isLocated } from '../answers/answers.decorator.js';
import { errorsOfOperation } from '../errors/fails-with.decorator.js';
import { PROBLEM_TYPE } from '../errors/problem.js';
import { operationsOf } from './operations-of.js';

interface Header {
  description: string;
  required?: boolean;
  schema: object;
}
type Headers = Record<string, Header>;
interface Answer {
  headers?: object;
  content?: Record<string, { schema?: { allOf?: { properties?: { code?: { enum: ErrorCode[] } } }[] } }>;
}
interface Operation {
  operationId: string;
  responses: Record<string, Answer>;
}

const text = (description: string): Header => ({ description, schema: { type: 'string' } });
const count = (description: string): Header => ({ description, schema: { type: 'integer', minimum: 0 } });
const always = (header: Header): Header => ({ ...header, required: true });

/** The first header of a request that counts against a rate. */
export const RATE_HEADER = 'ratelimit-limit';

const REQUEST_ID: Headers = {
  'ld-request': always({
    description: 'Id of the request; equals the instance of a refusal. Quote it to the operator.',
    schema: { type: 'string', pattern: '^[0-9a-f]{32}$' },
  }),
};
/** A request that an overload or an outage has ended before it was counted has none of them. */
const RATE: Headers = {
  [RATE_HEADER]: count('Requests that the caller may send in one window.'),
  'ratelimit-remaining': count('Requests that are left in this window.'),
  'ratelimit-reset': count('Seconds until the window ends.'),
  'ratelimit-policy': text('The limit and the seconds of a window, such as `600;w=60`.'),
};
const ETAG: Headers = {
  etag: always(text('What was read. Send it as `if-none-match`, or before a change as `if-match`.')),
};
const LOCATION: Headers = { location: always(text('The path of the created record.')) };
const WAIT = 'Seconds after which the same request may succeed.';
const retryAfter = (isAlways: boolean): Headers => {
  const header = {
    description: isAlways ? WAIT : `${WAIT} Absent if it cannot.`,
    schema: { type: 'integer', minimum: 1 },
  };
  return { 'retry-after': isAlways ? always(header) : header };
};

/** Adds to each answer the headers that its route does not declare itself. The ids of handlers are those of their classes. */
export function addAnswerHeaders(document: OpenAPIObject): OpenAPIObject {
  for (const { method, operation } of operationsOf<Operation>(document))
    for (const [status, answer] of Object.entries(operation.responses))
      answer.headers = { ...headersOf(operation.operationId, method, Number(status), answer), ...answer.headers };
  return document;
}

function headersOf(operationId: string, method: string, status: number, answer: Answer): Headers {
  const errors = errorsOfOperation(operationId);
  return {
    ...REQUEST_ID,
    ...(errors.includes('rate_limited') && RATE),
    ...(method === 'get' && isTagged(status, answer) && ETAG),
    ...(status < 300 && isLocated(operationId) && LOCATION),
    ...waitOf(codesOf(answer)),
  };
}

const isTagged = (status: number, { content = {} }: Answer): boolean =>
  status === 304 || (status === 200 && 'application/json' in content);

/** Every refusal that may be repeated says when. */
const waitOf = (codes: readonly ErrorCode[]): Headers =>
  codes.some((code) => isRetryable(code) || mayWait(code)) ? retryAfter(codes.every(isRetryable)) : {};

/** Its time is known, but the same request is meant to be sent by a person. */
const WAITS: ErrorCode = 'upgrade_cooldown';
const mayWait = (code: ErrorCode): boolean => SOMETIMES_RETRYABLE.includes(code) || code === WAITS;

const codesOf = ({ content }: Answer): ErrorCode[] =>
  content?.[PROBLEM_TYPE]?.schema?.allOf?.flatMap(({ properties }) => properties?.code?.enum ?? []) ?? [];
