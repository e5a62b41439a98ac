import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { ApiAnswer, ApiClient } from '@libs/testing';

const PATIENCE_MS = 120_000;
const PAUSE_MS = 200;

/** No answer for two minutes: the cloud is stuck. */
export class Unanswered extends Error {}

/** A client as the contract requires: retries a repeatable request with one idempotency key until it gets an answer. */
export class PatientClient {
  constructor(private readonly api: ApiClient) {}

  get(path: string): Promise<ApiAnswer> {
    return this.insist('GET', path, () => this.api.get(path));
  }

  post(path: string, body: unknown): Promise<ApiAnswer> {
    const key = randomUUID();
    return this.insist('POST', path, () => this.api.post(path, body, { 'idempotency-key': key }));
  }

  put(path: string, body: unknown): Promise<ApiAnswer> {
    const key = randomUUID();
    return this.insist('PUT', path, () => this.api.put(path, body, { 'idempotency-key': key }));
  }

  delete(path: string): Promise<ApiAnswer> {
    return this.insist('DELETE', path, () => this.api.delete(path));
  }

  private async insist(method: string, path: string, call: () => Promise<ApiAnswer>): Promise<ApiAnswer> {
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      const answer = await call().catch(() => null);
      if (answer && !isPassing(answer)) return answer;
      if (Date.now() > deadline)
        throw new Unanswered(`${method} ${path}: ${answer?.status ?? 'no answer'} ${JSON.stringify(answer?.body)}`);
      await delay(PAUSE_MS);
    }
  }
}

const isPassing = ({ status, body }: ApiAnswer): boolean =>
  status >= 500 || status === 429 || (body as { code?: string } | null)?.code === 'idempotent_request_in_progress';
