import { Get, type INestApplication, Module, Query } from '@nestjs/common';
import { mintApiKey } from '@libs/domain';
import { ANY_CALLER, everybody } from '../access/access.decorator.js';
import { Reads } from '../answers/answers.decorator.js';
import { createApp } from '../create-app.js';
import { describeApi } from '../docs/openapi.js';
import { HttpModule } from '../http.module.js';
import { IsText } from '../input/rules.js';
import { PinoLogger } from '../logging/pino-logger.js';
import { CallerStore, IdempotencyStore, RateStore, WriteTransaction, type ResolvedCaller } from '../ports.js';
import { Deprecated } from './deprecated.decorator.js';
import { RouteFault } from './route.js';
import { Routes } from './routes.decorator.js';

const ENDS = { since: '2026-12-01', sunset: '2027-06-02', instead: 'Use `GET /words`.' };
const HEADERS = { deprecation: '@1796083200', sunset: 'Wed, 02 Jun 2027 00:00:00 GMT' };

class View {
  word: string;
}

class WordQuery {
  @IsText(10, 'The word.')
  word: string;
}

@Routes('words', 'Words')
class WordsController {
  @Get('old')
  @Reads(everybody('anybody may'), View)
  @Deprecated(ENDS)
  old(@Query() { word }: WordQuery): View {
    return { word };
  }

  @Get('secret')
  @Reads(ANY_CALLER, View)
  @Deprecated(ENDS)
  secret(): View {
    return { word: 'secret' };
  }

  @Get()
  @Reads(everybody('anybody may'), View)
  current(): View {
    return { word: 'new' };
  }
}

/** No key belongs to anybody. */
class NoCallers extends CallerStore {
  resolve = async (): Promise<ResolvedCaller | null> => null;
}

class NoRates extends RateStore {
  take = async (): Promise<null> => null;
}

@Module({
  imports: [
    HttpModule.forRoot(
      {
        ...{ callers: NoCallers, rates: NoRates },
        ...{ idempotency: IdempotencyStore as never, transactions: WriteTransaction as never },
      },
      { SHUTDOWN_DRAIN_SECONDS: 0 },
    ),
  ],
  controllers: [WordsController],
})
class WordsModule {}

describe('A deprecated route', () => {
  let app: INestApplication;
  let url: string;
  beforeAll(async () => {
    const logger = new PinoLogger({ level: 'silent', app: 'main-api' });
    app = await createApp(WordsModule, { logger, listener: 'main-api', trustedProxies: [] });
    await app.listen(0, '127.0.0.1');
    url = await app.getUrl();
  });
  afterAll(() => app.close());

  async function read(path: string): Promise<{ status: number; told: Record<string, string> }> {
    const { status, headers } = await fetch(`${url}/words${path}`, { headers: { 'ld-api-key': mintApiKey(1) } });
    const names = ['deprecation', 'sunset'].filter((name) => headers.has(name));
    return { status, told: Object.fromEntries(names.map((name) => [name, headers.get(name) ?? ''])) };
  }

  it('says in each answer since when it is deprecated and when it ends', async () => {
    expect(await read('/old?word=a')).toEqual({ status: 200, told: HEADERS });
  });

  it('says it in refusals, too: of the query, and of callers without a key', async () => {
    expect(await read('/old?word=a&other=b')).toEqual({ status: 400, told: HEADERS });
    expect(await read('/secret')).toEqual({ status: 401, told: HEADERS });
  });

  it('is the only one that says so', async () => {
    expect(await read('')).toEqual({ status: 200, told: {} });
    expect(await read('/unknown')).toMatchObject({ status: 404, told: {} });
  });

  it('is marked in the API description, with what to use instead', () => {
    const api = {
      title: 'Words',
      description: 'Words.',
      version: '1',
      url,
      tags: {},
      enumNames: {},
      operationNames: { resources: {}, operations: {} },
    };
    const { paths } = describeApi(app, api);

    expect(paths['/words/old']?.get).toMatchObject({
      deprecated: true,
      description: expect.stringContaining(
        'Deprecated since 2026-12-01. A release after 2027-06-02 removes it. Use `GET /words`.',
      ),
      responses: { '200': { headers: { deprecation: expect.any(Object), sunset: expect.any(Object) } } },
    });
    expect(paths['/words']?.get).not.toHaveProperty('deprecated');
    expect(Object.keys(paths['/words']?.get?.responses['200'] ?? {})).not.toContain('deprecation');
  });

  it.each([
    [
      'a day that does not exist',
      { since: '2026-02-30' },
      'Tried.route is deprecated by a day that does not exist: 2026-02-30',
    ],
    ['a moment', { sunset: '2027-06-02T00:00Z' }, 'a day that does not exist: 2027-06-02T00:00Z'],
    ['an end within six months', { sunset: '2027-06-01' }, 'Tried.route ends less than 183 days after 2026-12-01'],
  ])('may not name %s', (_, changes, sentence) => {
    class Tried {
      route(): void {
        return;
      }
    }
    const descriptor = Object.getOwnPropertyDescriptor(Tried.prototype, 'route') ?? {};
    const declare = (): void => Deprecated({ ...ENDS, ...changes })(Tried.prototype, 'route', descriptor) as void;

    expect(declare).toThrow(RouteFault);
    expect(declare).toThrow(sentence);
  });
});
