import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { DomainError, type AuditType } from '@libs/domain';
import type { Request, Response } from 'express';
import { lastValueFrom, of, type Observable } from 'rxjs';
import { callerName } from '../access/caller-name.js';
import { Answer } from '../answers/answer.js';
import { readJsonBody } from '../body/read-json-body.js';
import { problemHeaders, toProblem } from '../errors/problem.js';
import { IdempotencyStore, WriteTransaction, type StoredAnswer } from '../ports.js';
import { factsOf } from '../request-facts.js';
import { idempotencyKeyOf } from './idempotency-key.js';
import { Prepared } from './prepared.js';
import { StoredAnswerReplay } from './stored-answer-replay.js';
import { AUDITED, PREPARED, type AuditRule } from './writes.metadata.js';

/** A route succeeded without recording what it declares, or recorded something else. A bug; rolled back. */
class AuditForgotten extends Error {}

/** What a handler came to inside the transaction: a refusal that is kept must not roll the transaction back. */
type Outcome = { answer: Answer<unknown> } | { refusal: DomainError };

/**
 * Around every write: the body is read (after the guard, so that refusals come in order), one transaction is opened,
 * and under an idempotency key the work is done at most once: rows, audit and the kept answer are one commit.
 */
@Injectable()
export class WriteInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly transaction: WriteTransaction,
    private readonly idempotency: IdempotencyStore,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    await readJsonBody(request, response);
    const handler = (): Promise<unknown> => lastValueFrom(next.handle(), { defaultValue: undefined });
    const isPrepared = this.reflector.get<boolean | undefined>(PREPARED, context.getHandler()) ?? false;
    const { work, atLeastMs } = isPrepared ? ((await handler()) as Prepared<unknown>) : new Prepared(handler);
    const even = atLeastMs > 0 ? delay(atLeastMs) : null;
    const outcome = await this.settleOnce(request, response, () => this.recorded(context, work)).finally(() => even);
    if ('refusal' in outcome) throw outcome.refusal;
    for (const [name, value] of Object.entries(outcome.answer.headers)) response.setHeader(name, value);
    return of(outcome.answer.body);
  }

  /** One transaction, and under an idempotency key the kept answer of the first request. */
  private async settleOnce(
    request: Request,
    response: Response,
    work: () => Promise<Answer<unknown>>,
  ): Promise<Outcome> {
    const { actor } = factsOf(request);
    // Of callers that nobody knows, one would be answered what another was told.
    const key = actor ? idempotencyKeyOf(request) : null;
    return this.transaction.run(() =>
      actor && key !== null
        ? this.once(request, response, { caller: callerName(actor.caller), key }, work)
        : settle(work),
    );
  }

  private async recorded(context: ExecutionContext, work: () => Promise<unknown>): Promise<Answer<unknown>> {
    const result = await work();
    requireRecorded(
      this.reflector.get<AuditRule | undefined>(AUDITED, context.getHandler()),
      this.transaction.audited(),
    );
    return result instanceof Answer ? result : new Answer(result, {});
  }

  private async once(
    request: Request,
    response: Response,
    { caller, key }: { caller: string; key: string },
    work: () => Promise<Answer<unknown>>,
  ): Promise<Outcome> {
    const hash = hashOf(request);
    const claim = await this.idempotency.claim(caller, key, hash);
    if (claim.state === 'in_progress')
      throw new DomainError('idempotent_request_in_progress', 'The first request with this key is still running.');
    if (claim.state === 'mismatch')
      throw new DomainError('idempotency_error', 'This key was used with another method, path or body.');
    if (claim.state === 'answered') throw new StoredAnswerReplay(claim.answer, factsOf(request).requestId);
    const outcome = await this.attempt(work);
    if ('refusal' in outcome && !isKept(outcome.refusal)) return outcome;
    await this.idempotency.keep(caller, key, hash, toStored(outcome, response.statusCode, factsOf(request).requestId));
    return outcome;
  }

  /** A refusal of the 4xx kind is an answer like any other and is kept; 429 and 5xx are not. */
  private async attempt(work: () => Promise<Answer<unknown>>): Promise<Outcome> {
    try {
      return await this.transaction.savepoint(() => settle(work));
    } catch (error) {
      if (error instanceof DomainError && isKept(error)) return { refusal: error };
      throw error;
    }
  }
}

/** A refusal that keeps its writes is an outcome, so that what was written so far is committed; any other rolls back. */
async function settle(work: () => Promise<Answer<unknown>>): Promise<Outcome> {
  try {
    return { answer: await work() };
  } catch (error) {
    if (error instanceof DomainError && error.keepsWrites) return { refusal: error };
    throw error;
  }
}

/** Whether a repeat under the same idempotency key is answered by it. */
const isKept = ({ status }: DomainError): boolean => status < 500 && status !== 429;

function requireRecorded(rule: AuditRule | undefined, recorded: readonly AuditType[]): void {
  const declared = rule?.types ?? [];
  const isMissing = !rule || (declared.length > 0 && !rule.unlessUnchanged && recorded.length === 0);
  if (!isMissing && recorded.every((type) => declared.includes(type))) return;
  throw new AuditForgotten(
    `declared ${declared.join(', ') || 'nothing'}, recorded ${recorded.join(', ') || 'nothing'}`,
  );
}

function toStored(outcome: Outcome, status: number, requestId: string): StoredAnswer {
  if ('refusal' in outcome) {
    const { refusal } = outcome;
    return {
      status: refusal.status,
      headers: problemHeaders(refusal),
      body: JSON.stringify(toProblem(refusal, requestId)),
    };
  }
  const { body, headers } = outcome.answer;
  if (body === undefined || body === null) return { status, headers: { ...headers }, body: null };
  return {
    status,
    headers: { ...headers, 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify(body),
  };
}

const hashOf = (request: Request): Buffer =>
  createHash('sha256')
    .update(`${request.method} ${request.originalUrl}\n${JSON.stringify(request.body ?? null)}`)
    .digest();
