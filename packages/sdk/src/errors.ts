import type { FieldIssue, OperationView, Problem } from './generated/main-types.js';
import { shownUrl } from './shown-url.js';

/** Every error that a method throws, except for a wrong use of the method and the reason of an aborted signal. */
export abstract class LandlordError extends Error {
  override readonly name: string = this.constructor.name;
}

/** The method was called with a wrong input. No request was sent. */
export class WrongUseError extends TypeError {
  override readonly name = 'WrongUseError';
}

/** No answer: the address is wrong, the connection broke, or its certificate is not trusted. `cause` has the reason. */
export class ConnectionError extends LandlordError {}

/** The answer did not come within the time of an attempt. */
export class TimeoutError extends LandlordError {}

/** An answer that Landlord does not write, such as a page of a proxy. */
export class UnexpectedAnswerError extends LandlordError {
  readonly status: number;

  constructor({ url, status }: Pick<Response, 'url' | 'status'>, what: string) {
    super(`${shownUrl(url)} answered ${status}: ${what}`);
    this.status = status;
  }
}

/** The refusal of a request, as `application/problem+json`. `GET /errors` lists the codes. */
export class ProblemError extends LandlordError {
  readonly status: number;
  /** Stable, for programs. */
  readonly code: string;
  /** The id of the request in the logs of the server. */
  readonly requestId: string;
  /** Everything that is wrong with the input. Empty when the refusal is not about the input. */
  readonly fieldIssues: readonly FieldIssue[];
  /** Whether the same request may succeed later. */
  readonly isRetryable: boolean;

  /** @param retryAfterMs when the server accepts another attempt. Null: the server does not say. */
  constructor(
    readonly problem: Problem & Record<string, unknown>,
    readonly retryAfterMs: number | null,
  ) {
    const issues = (problem.field_issues ?? [])
      .map(({ path, reason }) => `${path}: ${reason}`)
      // The detail of a refusal with one issue is the text of the issue.
      .filter((one) => one !== problem.detail);
    super([`${problem.detail} (${problem.code})`, ...issues].join('\n'));
    this.status = problem.status;
    this.code = problem.code;
    this.requestId = problem.instance;
    this.fieldIssues = problem.field_issues ?? [];
    this.isRetryable = problem.retryable;
  }
}

/** 400, 413, 415: the input is wrong. */
export class InvalidRequestError extends ProblemError {}
/** 401: no key, or a key that is wrong or has expired. */
export class UnauthenticatedError extends ProblemError {}
/** 402, 403: the caller may not do this. */
export class ForbiddenError extends ProblemError {}
/** 404, 410: the resource does not exist, or the caller may not see the resource. */
export class NotFoundError extends ProblemError {}
/** 409, 412: the state of the resource is in the way. */
export class ConflictError extends ProblemError {}
/** 429: too many requests. */
export class RateLimitedError extends ProblemError {}
/** 5xx: the fault is at the server. */
export class ServerError extends ProblemError {}

const BY_STATUS: Record<number, typeof ProblemError> = {
  ...{ 400: InvalidRequestError, 413: InvalidRequestError, 415: InvalidRequestError, 401: UnauthenticatedError },
  ...{ 402: ForbiddenError, 403: ForbiddenError, 404: NotFoundError, 410: NotFoundError },
  ...{ 409: ConflictError, 412: ConflictError, 429: RateLimitedError },
};

/** The error of the class for its status. */
export function problemError(problem: Problem & Record<string, unknown>, retryAfterMs: number | null): ProblemError {
  const type = problem.status >= 500 ? ServerError : (BY_STATUS[problem.status] ?? ProblemError);
  return new type(problem, retryAfterMs);
}

/** The operation that a wait followed has failed or was cancelled. */
export class OperationFailedError extends LandlordError {
  constructor(readonly operation: OperationView) {
    const { id, type, status, reason } = operation;
    super(
      `Operation ${id} (${type}) has ${status === 'failed' ? 'failed' : 'been cancelled'}: ${reason ?? 'no reason'}`,
    );
  }
}

/** The client does not know which Supervisor serves the request. */
export class UnknownSupervisorError extends LandlordError {}

/** A webhook whose signature, age or form is wrong. */
export class WebhookError extends LandlordError {}
