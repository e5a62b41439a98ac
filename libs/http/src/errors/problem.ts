import { ERRORS, type DomainError } from '@libs/domain';

export const PROBLEM_TYPE = 'application/problem+json';
/** Seconds in `retry-after` when the error has no own value. */
const DEFAULT_RETRY_SECONDS = 1;

/** The body of every refusal (RFC 9457; C-2.1). */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance: string;
  code: string;
  retryable: boolean;
  field_issues?: readonly object[];
}

export function toProblem(error: DomainError, requestId: string): Problem {
  const { status, title } = ERRORS[error.code];
  return {
    type: 'about:blank',
    title,
    status,
    detail: error.detail,
    instance: requestId,
    code: error.code,
    retryable: error.isRetryable,
    ...(error.fieldIssues.length > 0 && { field_issues: error.fieldIssues }),
    ...error.members,
  };
}

/** Returns the headers of a refusal, with `retry-after` for each retryable error. */
export function problemHeaders(error: DomainError): Record<string, string> {
  const seconds = error.retryAfterSeconds ?? (error.isRetryable ? DEFAULT_RETRY_SECONDS : null);
  return {
    'content-type': `${PROBLEM_TYPE}; charset=utf-8`,
    ...(seconds !== null && { 'retry-after': String(Math.max(1, Math.ceil(seconds))) }),
  };
}
