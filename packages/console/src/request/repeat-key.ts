import { ProblemError, RateLimitedError } from '@landlord/sdk';

/**
 * The idempotency key of a request that a person may send again because its answer was lost: the same input has the same key, so the
 * API does the work once.
 */
export class RepeatKey {
  private input: string | null = null;
  private key = '';

  of(input: string): string {
    if (input !== this.input) this.key = crypto.randomUUID();
    this.input = input;
    return this.key;
  }

  /** After an answer, the same input means another request. */
  forget(): void {
    this.input = null;
  }

  /** After a server error, or without an answer, nobody knows whether the request was done. */
  failed(error: unknown): void {
    const isRefused =
      error instanceof ProblemError &&
      error.status < 500 &&
      !(error instanceof RateLimitedError) &&
      error.code !== 'idempotent_request_in_progress';
    if (isRefused) this.forget();
  }
}
