import { ERRORS, isRetryable, SOMETIMES_RETRYABLE, type ErrorCode } from './errors.js';

/** One fault of a request: where (JSON pointer), which rule, and why. */
export interface FieldIssue {
  path: string;
  code: string;
  reason: string;
}

/** Members that only some errors have, next to the common ones: `limit`, `permission`, `operation_id`, … */
export type ErrorMembers = Readonly<Record<string, unknown>>;

export interface DomainErrorOptions {
  /** Included in the body of the answer. */
  members?: ErrorMembers;
  fieldIssues?: readonly FieldIssue[];
  retryAfterSeconds?: number;
  /**
   * Commits what the request wrote before the refusal, for an attempt that must count although it failed. The caller
   * that sets this must have written nothing else.
   */
  keepsWrites?: boolean;
  /** Only for the log, never included in the answer. */
  cause?: unknown;
}

/** The only error class for refusals. `detail` is for the caller; `cause` is only for the log. */
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

  /** Whether the same request may succeed when repeated, because time passes or the named operation ends (C-2.3). */
  get isRetryable(): boolean {
    const names = typeof this.members['operation_id'] === 'number';
    return isRetryable(this.code) || (SOMETIMES_RETRYABLE.includes(this.code) && names);
  }
}

/** Returns the refusal that the work throws. Null: the work is done. Other errors pass. */
export async function refusalOf(work: () => unknown): Promise<DomainError | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}

/** Maximum number of faults in one refusal. Without this limit a request could cause an answer much larger than itself. */
export const MOST_FIELD_ISSUES = 100;

/** Creates a 400 that lists all faults at once, at most 100. Its detail gives the total number. */
export const validationFailed = (issues: readonly FieldIssue[]): DomainError =>
  new DomainError('validation_failed', describeIssues(issues), { fieldIssues: issues.slice(0, MOST_FIELD_ISSUES) });

function describeIssues(issues: readonly FieldIssue[]): string {
  const [first] = issues;
  if (!first) return 'The request is not valid.';
  const rest = issues.length > 1 ? ` (and ${issues.length - 1} more)` : '';
  return `${first.path || 'body'}: ${first.reason}${rest}`;
}
