import type { CallHandler, ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { DomainError, type AuditType, type ErrorCode } from '@libs/domain';
import type { Request } from 'express';
import { defer, lastValueFrom } from 'rxjs';
import { ANY_CALLER } from '../access/access.decorator.js';
import type { Actor } from '../access/actor.js';
import { IdempotencyStore, WriteTransaction, type Claim, type StoredAnswer } from '../ports.js';
import { factsOf } from '../request-facts.js';
import { FurtherFaults } from '../input/further-faults.js';
import { RouteInput } from '../input/route-input.js';
import { Prepared } from './prepared.js';
import { PreparesFirst, Writes, WritesUnaudited, WritesWhenChanged } from './writes.decorator.js';
import { WriteInterceptor } from './write.interceptor.js';

/** A transaction over a list of words. */
class Words extends WriteTransaction {
  committed: string[] = [];
  open: string[] = [];

  async run<T>(_tenantId: number | null, work: () => Promise<T>): Promise<T> {
    this.open = [...this.committed];
    const result = await work();
    this.committed = this.open;
    return result;
  }

  async savepoint<T>(work: () => Promise<T>): Promise<T> {
    const before = [...this.open];
    return work().catch((error: unknown) => {
      this.open = before;
      throw error;
    });
  }

  recorded: AuditType[] = [];

  audited(): readonly AuditType[] {
    return this.recorded;
  }
}

class Answers extends IdempotencyStore {
  readonly kept: StoredAnswer[] = [];

  async claim(): Promise<Claim> {
    return { state: 'first' };
  }

  async keep(_: string, __: string, ___: Buffer, answer: StoredAnswer): Promise<void> {
    this.kept.push(answer);
  }
}

class Room {
  @WritesUnaudited(ANY_CALLER, 'records nothing')
  handle(): void {
    return;
  }

  @Writes(ANY_CALLER, 'role_created')
  records(): void {
    return;
  }

  @WritesWhenChanged(ANY_CALLER, 'role_updated')
  mayRecord(): void {
    return;
  }

  undeclared(): void {
    return;
  }

  @PreparesFirst()
  @WritesUnaudited(ANY_CALLER, 'records nothing')
  prepare(): void {
    return;
  }
}

/** Reads the function like the framework does: decorators store their metadata on the function itself. */
const HANDLER: unknown = Reflect.get(Room.prototype, 'handle');
const PREPARING: unknown = Reflect.get(Room.prototype, 'prepare');

describe('A write that is refused', () => {
  /** Writes a word and is refused. Returns the committed words and the statuses stored for the key. */
  async function refused(code: ErrorCode, keepsWrites: boolean, key?: string) {
    const [words, answers] = [new Words(), new Answers()];
    const interceptor = new WriteInterceptor(
      new Reflector(),
      words,
      answers,
      new RouteInput(new Reflector(), new FurtherFaults()),
    );
    const headers = { ...(key !== undefined && { 'idempotency-key': key }) };
    const request = { method: 'PUT', originalUrl: '/', headers };
    factsOf(request as unknown as Request).actor = { caller: { key: { id: 1, name: 'k' } } } as unknown as Actor;
    const http = { getRequest: () => request, getResponse: () => ({ statusCode: 200 }) };
    const context = {
      switchToHttp: () => http,
      getHandler: () => HANDLER,
      getClass: () => Room,
    } as unknown as ExecutionContext;
    const next: CallHandler = {
      handle: () =>
        defer(async () => {
          words.open.push('attempt');
          throw new DomainError(code, 'no', { keepsWrites });
        }),
    };
    const answer = interceptor.intercept(context, next).then((answered) => lastValueFrom(answered));
    await expect(answer).rejects.toMatchObject({ code });
    return { committed: words.committed, kept: answers.kept.map(({ status }) => status) };
  }

  it('leaves no writes', async () => {
    expect(await refused('not_empty', false)).toEqual({ committed: [], kept: [] });
    expect(await refused('not_empty', false, 'k')).toEqual({ committed: [], kept: [409] });
  });

  it('commits its writes when the refusal keeps them, with and without an idempotency key', async () => {
    expect(await refused('protection_code_invalid', true)).toEqual({ committed: ['attempt'], kept: [] });
    expect(await refused('protection_code_invalid', true, 'k')).toEqual({ committed: ['attempt'], kept: [400] });
  });

  it('is not stored when a retry may succeed', async () => {
    expect(await refused('code_already_requested', true, 'k')).toEqual({ committed: ['attempt'], kept: [] });
    expect(await refused('code_already_requested', false, 'k')).toEqual({ committed: [], kept: [] });
    expect(await refused('internal_error', false, 'k')).toEqual({ committed: [], kept: [] });
    expect(await refused('service_busy', false, 'k')).toEqual({ committed: [], kept: [] });
  });
});

describe('A write that prepares first', () => {
  /** Returns the result of a handler that returns `prepared`. */
  async function answered(words: Words, prepare: () => Promise<Prepared<unknown>>): Promise<unknown> {
    const interceptor = new WriteInterceptor(
      new Reflector(),
      words,
      new Answers(),
      new RouteInput(new Reflector(), new FurtherFaults()),
    );
    const http = {
      getRequest: () => ({ method: 'POST', originalUrl: '/', headers: {} }),
      getResponse: () => ({ statusCode: 200 }),
    };
    const context = {
      switchToHttp: () => http,
      getHandler: () => PREPARING,
      getClass: () => Room,
    } as unknown as ExecutionContext;
    return lastValueFrom(await interceptor.intercept(context, { handle: () => defer(prepare) }));
  }

  it('prepares outside the transaction, and does the rest inside it', async () => {
    const words = new Words();
    let open = 0;
    const run = words.run.bind(words);
    words.run = async (tenantId, work) => {
      open += 1;
      return run(tenantId, work).finally(() => (open -= 1));
    };
    const seen: number[] = [];

    const body = await answered(words, async () => {
      seen.push(open);
      return new Prepared(async () => {
        seen.push(open);
        words.open.push('done');
        return 'body';
      });
    });

    expect([body, seen, words.committed]).toEqual(['body', [0, 1], ['done']]);
  });

  it('takes the same time for each outcome', async () => {
    const words = new Words();
    const timed = async (work: () => Promise<unknown>): Promise<number> => {
      const start = performance.now();
      await answered(words, async () => new Prepared(work, 200)).catch(() => undefined);
      return performance.now() - start;
    };

    const times = [
      await timed(async () => 'nothing'),
      await timed(async () => {
        throw new DomainError('not_empty', 'no');
      }),
      await timed(async () => new Promise((settle) => setTimeout(settle, 100))),
    ];

    expect(Math.min(...times)).toBeGreaterThan(195);
    expect(Math.max(...times)).toBeLessThan(10_000);
  });
});

describe('A write that succeeds', () => {
  /** Returns the committed words when the handler recorded these types, or the message of the error. */
  async function written(route: keyof Room, recorded: AuditType[]): Promise<string[] | string> {
    return writtenTo(new Words(), route, recorded);
  }

  async function writtenTo(
    words: Words,
    route: keyof Room,
    recorded: AuditType[],
    headers: Record<string, string> = {},
  ): Promise<string[] | string> {
    words.recorded = recorded;
    const input = new RouteInput(new Reflector(), new FurtherFaults());
    const interceptor = new WriteInterceptor(new Reflector(), words, new Answers(), input);
    const request = { method: 'POST', originalUrl: '/', headers };
    factsOf(request as unknown as Request).actor = { caller: { key: { id: 1, name: 'k' } } } as unknown as Actor;
    const http = { getRequest: () => request, getResponse: () => ({ statusCode: 200 }) };
    const handler: unknown = Reflect.get(Room.prototype, route);
    const context = {
      switchToHttp: () => http,
      getHandler: () => handler,
      getClass: () => Room,
    } as unknown as ExecutionContext;
    const next: CallHandler = { handle: () => defer(async () => words.open.push('done')) };
    try {
      await lastValueFrom(await interceptor.intercept(context, next));
      return words.committed;
    } catch (error) {
      expect(words.committed).toEqual([]);
      return (error as Error).message;
    }
  }

  it('is committed with the declared audit record', async () => {
    expect(await written('records', ['role_created'])).toEqual(['done']);
    expect(await written('mayRecord', ['role_updated'])).toEqual(['done']);
    expect(await written('mayRecord', [])).toEqual(['done']);
    expect(await written('handle', [])).toEqual(['done']);
  });

  it('is rolled back when it records nothing, another type, or a type without a declaration', async () => {
    expect(await written('records', [])).toBe('declared role_created, recorded nothing');
    expect(await written('records', ['role_created', 'role_deleted'])).toContain('recorded role_created, role_deleted');
    expect(await written('mayRecord', ['role_created'])).toContain('declared role_updated');
    expect(await written('handle', ['role_created'])).toContain('declared nothing');
    expect(await written('undeclared', [])).toContain('declared nothing');
  });
});
