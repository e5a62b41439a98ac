import { ProblemError, RateLimitedError, type CallOptions } from '@landlord/sdk';

/**
 * The idempotency key of a request that a person may send again because its answer was lost: the same input has the same key, so the
 * API does the work once.
 */
export class RepeatKey {
  private input: string | null = null;
  private key = '';

  /** Sends the request under the key of its input. */
  async send<Answer>(input: object, call: (options: CallOptions) => Promise<Answer>): Promise<Answer> {
    try {
      const answer = await call({ idempotencyKey: this.of(JSON.stringify(input)) });
      this.input = null;
      return answer;
    } catch (error) {
      if (isRefusal(error)) this.input = null;
      throw error;
    }
  }

  private of(input: string): string {
    if (input !== this.input) this.key = crypto.randomUUID();
    this.input = input;
    return this.key;
  }
}

/** After a server error, or without an answer, nobody knows whether the request was done. */
const isRefusal = (error: unknown): boolean =>
  error instanceof ProblemError &&
  error.status < 500 &&
  !(error instanceof RateLimitedError) &&
  error.code !== 'idempotent_request_in_progress';
