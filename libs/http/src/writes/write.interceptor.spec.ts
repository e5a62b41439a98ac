import type { CallHandler, ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { DomainError, type AuditType, type ErrorCode } from '@libs/domain';
import { defer, lastValueFrom } from 'rxjs';
import { IdempotencyStore, WriteTransaction, type Claim, type StoredAnswer } from '../ports.js';
import { NotAudited } from './writes.decorator.js';
import { WriteInterceptor } from './write.interceptor.js';

/** A transaction over a list of words. */
class Words extends WriteTransaction {
  committed: string[] = [];
  open: string[] = [];

  async run<T>(work: () => Promise<T>): Promise<T> {
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

  audited(): readonly AuditType[] {
    return [];
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
  @NotAudited('records nothing')
  handle(): void {
    return;
  }
}

/** As the framework hands it over: what the decorators noted stands on the function itself. */
const HANDLER: unknown = Reflect.get(Room.prototype, 'handle');

describe('A write that is refused', () => {
  /** Writes a word and is refused; answers what was committed and what is kept under the key. */
  async function refused(code: ErrorCode, keepsWrites: boolean, key?: string) {
    const [words, answers] = [new Words(), new Answers()];
    const interceptor = new WriteInterceptor(new Reflector(), words, answers);
    const headers = { ...(key !== undefined && { 'idempotency-key': key }) };
    const request = { method: 'PUT', originalUrl: '/', headers };
    const http = { getRequest: () => request, getResponse: () => ({ statusCode: 200 }) };
    const context = {
      switchToHttp: () => http,
      getHandler: () => HANDLER,
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

  it('leaves nothing behind', async () => {
    expect(await refused('not_empty', false)).toEqual({ committed: [], kept: [] });
    expect(await refused('not_empty', false, 'k')).toEqual({ committed: [], kept: [409] });
  });

  it('leaves what it wrote when the refusal says so, with and without an idempotency key', async () => {
    expect(await refused('protection_code_invalid', true)).toEqual({ committed: ['attempt'], kept: [] });
    expect(await refused('protection_code_invalid', true, 'k')).toEqual({ committed: ['attempt'], kept: [400] });
  });

  it('is never answered from memory when it may be repeated', async () => {
    expect(await refused('code_already_requested', true, 'k')).toEqual({ committed: ['attempt'], kept: [] });
    expect(await refused('code_already_requested', false, 'k')).toEqual({ committed: [], kept: [] });
  });
});
