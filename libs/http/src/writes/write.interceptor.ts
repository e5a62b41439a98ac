import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { DomainError, Written, type AuditType } from '@libs/domain';
import type { Request, Response } from 'express';
import { lastValueFrom, of, type Observable } from 'rxjs';
import { callerName } from '../access/caller-name.js';
import { Answer, idHeaders, locationOf } from '../answers/answer.js';
import { LOCATION, type Location } from '../answers/answers.decorator.js';
import { bodyBytes } from '../input/read-json-body.js';
import { RouteInput } from '../input/route-input.js';
import { problemHeaders, toProblem } from '../errors/problem.js';
import { repeatOnce } from '../errors/repeat-once.js';
import { IdempotencyStore, WriteTransaction, type StoredAnswer } from '../ports.js';
import { factsOf } from '../request-facts.js';
import { idempotencyKeyOf } from './idempotency-key.js';
import { Prepared } from './prepared.js';
import { StoredAnswerReplay } from './stored-answer-replay.js';
import { AUDITED, KEEPS_NO_ANSWER, PREPARED, type AuditRule } from './writes.metadata.js';

/** A route succeeded without its declared audit record, or with another one. A bug; the transaction is rolled back. */
class AuditForgotten extends Error {}

/** Refusals above this size in bytes are not stored for an idempotency key: a repeat is checked again. */
const LARGEST_KEPT_REFUSAL = 16 * 1024;

/** A request with an idempotency key: the caller, the key, and the hash of method, path and body. */
interface KeyedRequest {
  caller: string;
  key: string;
  hash: Buffer;
}

/** The result of a handler inside the transaction. A refusal that is stored must not roll the transaction back. */
type Outcome = { answer: Answer<unknown> } | { refusal: DomainError };

/**
 * Runs around every write. It reads the body after the guard, so that refusals keep their order. It opens one
 * transaction. With an idempotency key the work is done at most once: rows, audit records and the stored answer are one
 * commit.
 */
@Injectable()
export class WriteInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly transaction: WriteTransaction,
    private readonly idempotency: IdempotencyStore,
    private readonly input: RouteInput,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const { document, refusal } = await this.input.validateBody(context);
    // A refused document may be too deep for JSON.stringify.
    const key = this.keepsAnswer(context)
      ? idempotencyOf(request, refusal ? bodyBytes(request) : JSON.stringify(document))
      : null;
    // A refused body needs no transaction, unless its answer is stored for a key.
    if (refusal && !key) throw refusal;
    const { work, atLeastMs } = refusal ? refusing(refusal) : await this.prepare(context, next);
    const even = atLeastMs > 0 ? delay(atLeastMs) : null;
    const rule = this.reflector.get<AuditRule | undefined>(AUDITED, context.getHandler());
    const answer = (): Promise<Answer<unknown>> => this.recorded(context, rule, work);
    // The record of the key is in the transaction of the work. A repeat that finds the record sends its answer again, so a commit
    // whose answer was lost is not done twice.
    const settled = key
      ? repeatOnce(() => this.run(request, () => this.once(key, request, response, answer)))
      : this.run(request, () => settle(answer));
    const outcome = await settled.finally(() => even);
    if ('refusal' in outcome) throw outcome.refusal;
    for (const [name, value] of Object.entries(outcome.answer.headers)) response.setHeader(name, value);
    return of(outcome.answer.body);
  }

  private keepsAnswer(context: ExecutionContext): boolean {
    return !this.reflector.get<boolean | undefined>(KEEPS_NO_ANSWER, context.getHandler());
  }

  private async prepare(context: ExecutionContext, next: CallHandler): Promise<Prepared<unknown>> {
    const handler = (): Promise<unknown> => lastValueFrom(next.handle(), { defaultValue: undefined });
    const isPrepared = this.reflector.get<boolean | undefined>(PREPARED, context.getHandler()) ?? false;
    return isPrepared ? ((await handler()) as Prepared<unknown>) : new Prepared(handler);
  }

  private run(request: Request, work: () => Promise<Outcome>): Promise<Outcome> {
    return this.transaction.run(factsOf(request).actor?.caller.tenant?.id ?? null, work);
  }

  private async recorded(
    context: ExecutionContext,
    rule: AuditRule | undefined,
    work: () => Promise<unknown>,
  ): Promise<Answer<unknown>> {
    const result = await work();
    requireRecorded(rule, this.transaction.audited());
    return this.toAnswer(context, result);
  }

  private toAnswer(context: ExecutionContext, result: unknown): Answer<unknown> {
    if (result instanceof Answer) return result as Answer<unknown>;
    if (!(result instanceof Written)) return new Answer(result, {});
    const { record, ids } = result as Written<unknown>;
    const headers = idHeaders(ids);
    const location = this.reflector.get<Location | undefined>(LOCATION, context.getHandler());
    const { path, params } = context.switchToHttp().getRequest<Request>();
    if (location) headers['location'] = locationOf(location.template, { path, params, ids, record });
    return new Answer(record, headers);
  }

  /** Does the work at most once for the key. Returns the stored answer of the first request. */
  private async once(
    { caller, key, hash }: KeyedRequest,
    request: Request,
    response: Response,
    work: () => Promise<Answer<unknown>>,
  ): Promise<Outcome> {
    const claim = await this.idempotency.claim(caller, key, hash);
    if (claim.state === 'in_progress')
      throw new DomainError('idempotent_request_in_progress', 'The first request with this key is still running.');
    if (claim.state === 'mismatch')
      throw new DomainError('idempotency_error', 'This key was used with another method, path or body.');
    if (claim.state === 'answered') throw new StoredAnswerReplay(claim.answer, factsOf(request).requestId);
    const outcome = await this.attempt(work);
    if ('refusal' in outcome && !isKept(outcome.refusal)) return outcome;
    const answer = toStored(outcome, response.statusCode, factsOf(request).requestId);
    if ('refusal' in outcome && Buffer.byteLength(answer.body ?? '') > LARGEST_KEPT_REFUSAL) return outcome;
    await this.idempotency.keep(caller, key, hash, answer);
    return outcome;
  }

  /** A refusal with a 4xx status is stored like other answers. 5xx and retryable refusals are not. */
  private async attempt(work: () => Promise<Answer<unknown>>): Promise<Outcome> {
    try {
      return await this.transaction.savepoint(() => settle(work));
    } catch (error) {
      if (error instanceof DomainError && isKept(error)) return { refusal: error };
      throw error;
    }
  }
}

/** A refusal that keeps its writes is an outcome, so that the transaction commits. Every other refusal rolls back. */
async function settle(work: () => Promise<Answer<unknown>>): Promise<Outcome> {
  try {
    return { answer: await work() };
  } catch (error) {
    if (error instanceof DomainError && error.keepsWrites) return { refusal: error };
    throw error;
  }
}

/** Whether a repeat with the same idempotency key gets this refusal. */
const isKept = ({ status, isRetryable }: DomainError): boolean => status < 500 && !isRetryable;

function requireRecorded(rule: AuditRule | undefined, recorded: readonly AuditType[]): void {
  const declared = rule?.types ?? [];
  const isMissing = !rule || (declared.length > 0 && !rule.unlessUnchanged && recorded.length === 0);
  if (!isMissing && recorded.every((type) => declared.includes(type))) return;
  const [declaration, records] = [declared, recorded].map((types) => types.join(', ') || 'nothing');
  throw new AuditForgotten(`declared ${declaration}, recorded ${records}`);
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

/**
 * Null without a key, and for a caller without credentials: such callers would share one key space and could read each
 * other's answers.
 */
function idempotencyOf(request: Request, body: string | Buffer): KeyedRequest | null {
  const { actor } = factsOf(request);
  const key = actor ? idempotencyKeyOf(request) : null;
  return actor && key !== null ? { caller: callerName(actor.caller), key, hash: hashOf(request, body) } : null;
}

const refusing = (refusal: DomainError): Prepared<unknown> => new Prepared(() => Promise.reject(refusal));

const hashOf = ({ method, originalUrl }: Request, body: string | Buffer): Buffer =>
  createHash('sha256').update(`${method} ${originalUrl}\n`).update(body).digest();
