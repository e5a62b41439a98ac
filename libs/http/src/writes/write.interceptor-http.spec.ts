import { Body, Delete, HttpCode, type INestApplication, Module, Param, Post, Put } from '@nestjs/common';
import {
  apiKeyId,
  DomainError,
  EMPTY_TREE,
  mintApiKey,
  Written,
  type AuditType,
  type Precondition,
} from '@libs/domain';
import { ANY_CALLER, everybody } from '../access/access.decorator.js';
import { Answer } from '../answers/answer.js';
import { Creates, LocatedAt } from '../answers/answers.decorator.js';
import { etagOf } from '../answers/etag.js';
import { createApp } from '../create-app.js';
import { HttpModule } from '../http.module.js';
import { TakesBodyOf } from '../input/route-input.js';
import { IsText } from '../input/rules.js';
import { PinoLogger } from '../logging/pino-logger.js';
import {
  CallerStore,
  IdempotencyStore,
  RateStore,
  WriteTransaction,
  type Claim,
  type ResolvedCaller,
  type StoredAnswer,
} from '../ports.js';
import { Routes } from '../routes/routes.decorator.js';
import { idempotencyKeyOf } from './idempotency-key.js';
import { Prepared } from './prepared.js';
import { StoredAnswerReplay } from './stored-answer-replay.js';
import { IfMatch, Writes, WritesUnaudited } from './writes.decorator.js';
import { IDEMPOTENT } from './writes.metadata.js';

const RECORD = { id: 7, word: 'old' };
const stored: string[] = [];
let audited: AuditType[] = [];
const answers = new Map<string, { hash: Buffer; answer: StoredAnswer }>();
const running = new Set<string>();

/** Every key belongs to a user with the id of the key. */
class Callers extends CallerStore {
  async resolve(secret: string): Promise<ResolvedCaller> {
    const id = Number(apiKeyId(secret) ?? 0);
    return {
      caller: {
        ...{ key: { id, name: 'k' }, session: null, user: { id, name: 'u' }, isVerified: true, tenant: null },
        holding: { trees: [EMPTY_TREE], divisionScope: null },
      },
      ...{ ancestry: { division: null, environment: null, deployment: null }, isExpired: false, allowedIps: null },
      deploymentRow: null,
    };
  }
}

class Answers extends IdempotencyStore {
  async claim(caller: string, key: string, hash: Buffer): Promise<Claim> {
    if (running.has(key)) return { state: 'in_progress' };
    const kept = answers.get(`${caller} ${key}`);
    if (!kept) return { state: 'first' };
    return kept.hash.equals(hash) ? { state: 'answered', answer: kept.answer } : { state: 'mismatch' };
  }

  async keep(caller: string, key: string, hash: Buffer, answer: StoredAnswer): Promise<void> {
    answers.set(`${caller} ${key}`, { hash, answer });
  }
}

/** A transaction over the list of stored words. */
class Transaction extends WriteTransaction {
  async run<T>(_tenantId: number | null, work: () => Promise<T>): Promise<T> {
    audited = [];
    return this.savepoint(work);
  }

  async savepoint<T>(work: () => Promise<T>): Promise<T> {
    const before = [...stored];
    return work().catch((error: unknown) => {
      stored.splice(0, stored.length, ...before);
      throw error;
    });
  }

  audited(): readonly AuditType[] {
    return audited;
  }
}

class NoRates extends RateStore {
  async take(): Promise<null> {
    return null;
  }
}

class WordBody {
  @IsText(100_000, 'The word.')
  word: string;
}

const write = (word: string): number => {
  audited.push('role_created');
  return stored.push(word);
};

@Routes('words', null, { word: 'The word.' })
class WordsController {
  @Post()
  @Writes(ANY_CALLER, 'role_created')
  @TakesBodyOf(256)
  @Creates(WordBody, 'role')
  @LocatedAt('/words/:role')
  create(@Body() { word }: WordBody): unknown {
    const id = write(word);
    if (word === 'refused') throw new DomainError('not_empty', 'no');
    if (word === 'counted') throw new DomainError('protection_code_invalid', 'no', { keepsWrites: true });
    if (word.length > 1000) throw new DomainError('not_empty', 'no', { members: { word } });
    return new Written({ id, word }, { role: id });
  }

  @Post('plain')
  @HttpCode(200)
  @Writes(ANY_CALLER, 'role_created')
  plain(@Body() { word }: WordBody): unknown {
    return new Written({ word, number: write(word) }, {});
  }

  @Put(':word')
  @HttpCode(200)
  @WritesUnaudited(ANY_CALLER, 'records nothing')
  change(@Param('word') word: string, @IfMatch() condition: Precondition): unknown {
    condition.require(RECORD);
    stored.push(word);
    return new Answer({ word, isGiven: condition.isGiven }, { 'x-word': word });
  }

  @Delete(':word')
  @WritesUnaudited(ANY_CALLER, 'records nothing')
  remove(@Param('word') word: string): void {
    stored.push(`-${word}`);
  }

  @Put(':word/done')
  @WritesUnaudited(ANY_CALLER, 'records nothing')
  finish(@Param('word') word: string): void {
    stored.push(word);
  }

  @Put('public/word')
  @HttpCode(200)
  @WritesUnaudited(everybody('anybody may'), 'records nothing')
  open(): unknown {
    return { number: stored.push('open') };
  }
}

@Module({
  imports: [
    HttpModule.forRoot(
      { callers: Callers, idempotency: Answers, transactions: Transaction, rates: NoRates },
      { SHUTDOWN_DRAIN_SECONDS: 0 },
    ),
  ],
  controllers: [WordsController],
})
class WordsModule {}

describe('A write over HTTP', () => {
  let app: INestApplication;
  let url: string;
  const secret = mintApiKey(1);

  beforeAll(async () => {
    const logger = new PinoLogger({ level: 'silent', app: 'main-api' });
    app = await createApp(WordsModule, { logger, listener: 'main-api', trustedProxies: [] });
    await app.listen(0, '127.0.0.1');
    url = await app.getUrl();
  });
  afterAll(() => app.close());
  beforeEach(() => {
    stored.length = 0;
    answers.clear();
    running.clear();
  });

  async function send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        'ld-api-key': secret,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const all = Object.fromEntries(response.headers);
    return { status: response.status, headers: all, text, json: text === '' ? null : JSON.parse(text) };
  }
  const create = (word: string, key?: string) =>
    send('POST', '/words', { word }, key === undefined ? {} : { 'idempotency-key': key });

  it('returns the record with its location and the ids of created resources', async () => {
    expect(await create('a')).toMatchObject({
      status: 201,
      json: { id: 1, word: 'a' },
      headers: { location: '/words/1', 'ld-role': '1', 'content-type': 'application/json; charset=utf-8' },
    });
    expect(stored).toEqual(['a']);
  });

  it('returns the record without a location on a route without a location', async () => {
    const { status, json, headers } = await send('POST', '/words/plain', { word: 'a' });

    expect([status, json, headers['location']]).toEqual([200, { word: 'a', number: 1 }, undefined]);
  });

  it('returns own headers, and no body for a handler without a result', async () => {
    expect(await send('PUT', '/words/b')).toMatchObject({ status: 200, headers: { 'x-word': 'b' } });
    expect(await send('DELETE', '/words/b')).toMatchObject({ status: 204, text: '' });
    expect(stored).toEqual(['b', '-b']);
  });

  it('is done once under one key, and the first answer is sent again', async () => {
    const first = await create('a', 'k');
    const again = await create('a', 'k');

    expect(stored).toEqual(['a']);
    expect(again).toMatchObject({ status: 201, text: first.text });
    expect(again.headers).toMatchObject({
      location: '/words/1',
      'ld-role': '1',
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(first.text)),
      'idempotent-replayed': 'true',
    });
    expect(first.headers['idempotent-replayed']).toBeUndefined();
  });

  it('sends again an answer with characters of several bytes, and an answer without headers of its own', async () => {
    const word = 'é'.repeat(20);
    const first = await create(word, 'k');

    expect((await create(word, 'k')).text).toBe(first.text);
    const put = await send('PUT', '/words/b', undefined, { 'idempotency-key': 'p' });
    const again = await send('PUT', '/words/b', undefined, { 'idempotency-key': 'p' });
    expect([put.status, again.status, again.text, again.headers['x-word']]).toEqual([200, 200, put.text, 'b']);
  });

  it('sends again an answer without a body', async () => {
    const put = () => send('PUT', '/words/b/done', undefined, { 'idempotency-key': 'k' });

    const [first, again] = [await put(), await put()];

    expect([first.status, again.status, again.text, stored]).toEqual([204, 204, '', ['b']]);
    expect(again.headers['idempotent-replayed']).toBe('true');
  });

  it('is declared as idempotent, for the inventory of routes', () => {
    const marks = ['create', 'remove', 'missing'].map((name) => {
      const handler: unknown = Reflect.get(WordsController.prototype, name);
      return handler ? (Reflect.getMetadata(IDEMPOTENT, handler) as unknown) : null;
    });

    expect(marks).toEqual([true, true, null]);
  });

  it('is done for each key, and for each caller of a key', async () => {
    await create('a', 'k');
    await create('a', 'l');
    const other = await send('POST', '/words', { word: 'a' }, { 'ld-api-key': mintApiKey(22), 'idempotency-key': 'k' });

    expect([stored, other.status]).toEqual([['a', 'a', 'a'], 201]);
  });

  it('is refused under the same key with another body, path or method', async () => {
    const under = { 'idempotency-key': 'k' };
    await send('PUT', '/words/plain', undefined, under);

    const refused = [
      await send('PUT', '/words/other', undefined, under),
      await send('POST', '/words/plain', { word: 'a' }, under),
      await send('PUT', '/words/plain?a=1', undefined, under),
    ];
    await create('a', 'l');
    refused.push(await create('b', 'l'));

    expect(refused.map(({ json }) => json.code)).toEqual([
      'idempotency_error',
      'idempotency_error',
      'validation_failed',
      'idempotency_error',
    ]);
    expect(stored).toEqual(['plain', 'a']);
  });

  it('is refused while the first request with the key runs', async () => {
    running.add('k');

    const refused = await create('a', 'k');

    expect(refused).toMatchObject({ status: 409, json: { code: 'idempotent_request_in_progress', retryable: true } });
    expect(refused.headers['retry-after']).toBe('1');
    expect(stored).toEqual([]);

    running.delete('k');
    expect((await create('a', 'k')).status).toBe(201);
    expect(stored).toEqual(['a']);
  });

  it('keeps its refusal under the key, with the id of each request', async () => {
    const first = await create('refused', 'k');
    const again = await create('refused', 'k');

    expect([first.status, first.json.code, stored]).toEqual([409, 'not_empty', []]);
    expect(again.json).toEqual({ ...first.json, instance: again.headers['ld-request'] });
    expect(again.json.instance).not.toBe(first.json.instance);
    expect(again.headers).toMatchObject({
      'content-type': 'application/problem+json; charset=utf-8',
      'idempotent-replayed': 'true',
    });
  });

  it('keeps the writes of a refusal that counts, once under one key', async () => {
    await create('counted', 'k');
    const again = await create('counted', 'k');

    expect(again).toMatchObject({ status: 400, headers: { 'idempotent-replayed': 'true' } });
    expect(stored).toEqual(['counted']);
  });

  it('does not keep a refusal of more than 16 KiB', async () => {
    const { text } = await create('a'.repeat(2_000));
    const longest = 16 * 1024 - (Buffer.byteLength(text) - 2_000);
    const replayed = [];
    for (const [key, length] of [
      ['k', longest],
      ['l', longest + 1],
    ] as const)
      for (let n = 0; n < 2; n += 1)
        replayed.push((await create('a'.repeat(length), key)).headers['idempotent-replayed']);

    expect(replayed).toEqual([undefined, 'true', undefined, undefined]);
  });

  it('keeps the refusal of a wrong body, and compares the bytes of the body', async () => {
    const wrong = (body: string) => send('POST', '/words', body, { 'idempotency-key': 'k' });

    const answered = [await wrong('{"word":1}'), await wrong('{"word":1}'), await wrong('{"word": 1}')];

    expect(answered.map(({ json }) => json.code)).toEqual([
      'validation_failed',
      'validation_failed',
      'idempotency_error',
    ]);
    expect(answered.map(({ headers }) => headers['idempotent-replayed'])).toEqual([undefined, 'true', undefined]);
    expect((await send('POST', '/words', '{"word":1}')).json.code).toBe('validation_failed');
  });

  it.each([
    ['empty', ''],
    ['not ASCII', 'é'],
    ['longer than 255 characters', 'a'.repeat(256)],
    ['not printable', 'a\tb'],
  ])('is refused with a key that is %s', (_, key) => {
    expect(() => idempotencyKeyOf({ method: 'POST', headers: { 'idempotency-key': key } } as never)).toThrow(
      expect.objectContaining({ code: 'validation_failed' }),
    );
  });

  it.each([
    ['of one character', 'a'],
    ['with a space', 'a b~'],
    ['of 255 characters', 'a'.repeat(255)],
  ])('accepts a key %s, for POST and PUT only', (_, key) => {
    const keyOf = (method: string): string | null =>
      idempotencyKeyOf({ method, headers: { 'idempotency-key': key } } as never);

    expect([keyOf('POST'), keyOf('PUT'), keyOf('PATCH'), keyOf('DELETE')]).toEqual([key, key, null, null]);
    expect(idempotencyKeyOf({ method: 'POST', headers: {} } as never)).toBeNull();
  });

  it('ignores the key of a caller without credentials', async () => {
    const numbers = [];
    for (let n = 0; n < 2; n += 1)
      numbers.push((await send('PUT', '/words/public/word', undefined, { 'idempotency-key': 'k' })).json.number);

    expect(numbers).toEqual([1, 2]);
  });

  it('is refused when the record has changed since it was read', async () => {
    const tag = etagOf(JSON.stringify(RECORD));
    const put = async (headers: Record<string, string>) => {
      const { status, json } = await send('PUT', '/words/b', undefined, headers);
      return [status, json.isGiven ?? json.code];
    };

    expect(await put({})).toEqual([200, false]);
    expect(await put({ 'if-match': tag })).toEqual([200, true]);
    expect(await put({ 'if-match': '*' })).toEqual([200, true]);
    expect(await put({ 'if-match': `W/"1", ${tag}` })).toEqual([200, true]);
    expect(await put({ 'if-match': etagOf('{}') })).toEqual([412, 'precondition_failed']);
    expect(await put({ 'if-match': `W/${tag}` })).toEqual([412, 'precondition_failed']);
    expect(await put({ 'if-match': '' })).toEqual([412, 'precondition_failed']);
    expect(stored).toEqual(['b', 'b', 'b', 'b']);
  });
});

describe('A prepared write', () => {
  it('keeps its minimum time when the form of its result changes', async () => {
    const prepared = new Prepared(async () => 2, 5).map((number) => number * 3);

    expect([await prepared.work(), prepared.atLeastMs, new Prepared(async () => 1).atLeastMs]).toEqual([6, 5, 0]);
  });
});

describe('A stored answer', () => {
  it('without a body is sent without a body', () => {
    const sent: unknown[] = [];
    const response = { writeHead: (...head: unknown[]) => sent.push(head), end: (body: string) => sent.push(body) };

    new StoredAnswerReplay({ status: 204, headers: {}, body: null }, 'r').send(response as never);

    expect(sent).toEqual([[204, { 'idempotent-replayed': 'true', 'content-length': 0 }], '']);
  });
});
