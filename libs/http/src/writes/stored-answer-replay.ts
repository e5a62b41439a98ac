import type { Response } from 'express';
import { PROBLEM_TYPE, type Problem } from '../errors/problem.js';
import type { StoredAnswer } from '../ports.js';

/** Leaves a handler without running it and sends the answer of the first request again. */
export class StoredAnswerReplay extends Error {
  constructor(
    private readonly answer: StoredAnswer,
    private readonly requestId: string,
  ) {
    super('replayed');
  }

  send(response: Response): void {
    const { status, headers } = this.answer;
    const body = this.body();
    response.writeHead(status, {
      ...headers,
      'idempotent-replayed': 'true',
      'content-length': Buffer.byteLength(body),
    });
    response.end(body);
  }

  /** The stored body, except for the `instance` of a refusal, which always equals `ld-request`. */
  private body(): string {
    const { headers, body } = this.answer;
    if (body === null || !headers['content-type']?.startsWith(PROBLEM_TYPE)) return body ?? '';
    return JSON.stringify({ ...(JSON.parse(body) as Problem), instance: this.requestId });
  }
}
