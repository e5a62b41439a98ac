import { ERRORS, type ErrorCode } from './errors.js';

/** One fault of a request: where (JSON pointer), which rule, why. */
export interface FieldIssue {
  path: string;
  code: string;
  reason: string;
}

/** Members of an error's own, next to the common ones: `limit`, `permission`, `operation_id`, … */
export type ErrorMembers = Readonly<Record<string, unknown>>;

export interface DomainErrorOptions {
  /** Told to the caller in the body. */
  members?: ErrorMembers;
  fieldIssues?: readonly FieldIssue[];
  retryAfterSeconds?: number;
  /**
   * What the request wrote before it was refused is committed, and only then refused: an attempt that must count although
   * it failed. Whoever sets it has written nothing else.
   */
  keepsWrites?: boolean;
  /** For the log only, never told to the caller. */
  cause?: unknown;
}

/** The one way to refuse. `detail` is written for the caller; `cause` is for the log only. */
export class DomainError extends Error {
  readonly members: ErrorMembers;
  readonly fieldIssues: readonly FieldIssue[];
  readonly retryAfterSeconds: number | undefined;
  readonly keepsWrites: boolean;

  constructor(
    readonly code: ErrorCode,
    readonly detail: string,
    options: DomainErrorOptions = {},
  ) {
    super(`${code}: ${detail}`, { cause: options.cause });
    this.name = 'DomainError';
    this.members = options.members ?? {};
    this.fieldIssues = options.fieldIssues ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.keepsWrites = options.keepsWrites ?? false;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}

/** The most faults that one refusal lists: an answer stays smaller than the request that caused it could make it. */
export const MOST_FIELD_ISSUES = 100;

/** A 400 that lists every fault at once, at most 100 of them; its detail counts them all. */
export const validationFailed = (issues: readonly FieldIssue[]): DomainError =>
  new DomainError('validation_failed', describeIssues(issues), { fieldIssues: issues.slice(0, MOST_FIELD_ISSUES) });

function describeIssues(issues: readonly FieldIssue[]): string {
  const [first] = issues;
  if (!first) return 'The request is not valid.';
  const rest = issues.length > 1 ? ` (and ${issues.length - 1} more)` : '';
  return `${first.path || 'body'}: ${first.reason}${rest}`;
}
