import { get, type OutgoingHttpHeaders } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { Get, type INestApplication, Module, Req } from '@nestjs/common';
import { apiKeyId, EMPTY_TREE, mintApiKey, mintSession, sessionId } from '@libs/domain';
import type { Request } from 'express';
import passport from 'passport';
import { Sends } from '../../answers/answers.decorator.js';
import { createApp } from '../../create-app.js';
import { HttpModule } from '../../http.module.js';
import { PinoLogger } from '../../logging/pino-logger.js';
import {
  CallerStore,
  IdempotencyStore,
  RateStore,
  SessionStore,
  WriteTransaction,
  type CallerSession,
  type ResolvedCaller,
} from '../../ports.js';
import { factsOf } from '../../request-facts.js';
import { Routes } from '../../routes/routes.decorator.js';
import { ANY_CALLER } from '../access.decorator.js';
import { API_KEY_SCHEME } from './names.js';
import { registerStrategies } from './strategies.js';

const [REQUESTS, KEYS, SESSIONS] = [2_000, 50, 20];
const LONGEST_MS = 200;

/** What the route says about its caller. */
interface Answer {
  name: string;
  hasAsked: boolean;
  elsewhere: unknown[];
}

/** The members that passport and Nest add to a request. */
const PLACES = /user|auth|log_?(in|out)|session/i;

/** How often the stores were asked. */
let questions = 0;

/** A caller whose name says who it is, after a random time. */
async function resolved(name: string, session: CallerSession | null): Promise<ResolvedCaller> {
  questions += 1;
  await delay(Math.random() * LONGEST_MS);
  const id = Number(name.split(' ')[1]);
  return {
    caller: {
      ...{ key: session ? null : { id, name }, session, user: { id, name }, isVerified: true, tenant: null },
      holding: { trees: [EMPTY_TREE], divisionScope: null },
    },
    ...{ ancestry: { division: null, environment: null, deployment: null }, isExpired: false, allowedIps: null },
    deploymentRow: null,
  };
}

class Keys extends CallerStore {
  resolve = (secret: string): Promise<ResolvedCaller> => resolved(`key ${apiKeyId(secret)}`, null);
}

class Sessions extends SessionStore {
  resolve(token: string): Promise<ResolvedCaller> {
    const id = sessionId(token) ?? 0;
    return resolved(`session ${id}`, { id, email: '', csrfToken: '' });
  }
}

class NoRates extends RateStore {
  take = async (): Promise<null> => null;
}

@Routes('/', null)
class WhoController {
  @Get('who')
  @Sends(ANY_CALLER)
  async who(@Req() request: Request): Promise<object> {
    const { actor, recheck } = factsOf(request);
    const before = questions;
    await recheck();
    return {
      name: actor?.caller.user.name,
      hasAsked: questions > before,
      elsewhere: Object.entries(request).filter(([name, value]) => PLACES.test(name) && value !== undefined),
    };
  }
}

@Module({
  imports: [
    HttpModule.forRoot(
      {
        ...{ callers: Keys, sessions: Sessions, rates: NoRates },
        ...{ idempotency: IdempotencyStore as never, transactions: WriteTransaction as never },
      },
      { SHUTDOWN_DRAIN_SECONDS: 0 },
    ),
  ],
  controllers: [WhoController],
})
class WhoModule {}

describe('Callers of one process at the same time', () => {
  let app: INestApplication;
  let url: string;
  const keys = Array.from({ length: KEYS }, (_, n) => mintApiKey(n + 1));
  const sessions = Array.from({ length: SESSIONS }, (_, n) => mintSession(n + 1));

  beforeAll(async () => {
    const logger = new PinoLogger({ level: 'silent', app: 'main-api' });
    app = await createApp(WhoModule, { logger, listener: 'main-api', trustedProxies: [] });
    await app.listen(0, '127.0.0.1');
    url = await app.getUrl();
  });
  afterEach(registerStrategies);
  afterAll(() => app.close());

  const ask = (headers: OutgoingHttpHeaders): Promise<{ status: number | undefined; body: string }> =>
    new Promise((resolve, reject) => {
      get(`${url}/who`, { headers, agent: false }, (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (part: string) => (body += part));
        response.on('end', () => resolve({ status: response.statusCode, body }));
      }).on('error', reject);
    });
  const who = async (n: number) => {
    const isKey = n % 7 < 5;
    const at = isKey ? n % KEYS : n % SESSIONS;
    const headers = isKey ? { 'ld-api-key': keys[at] ?? '' } : { cookie: `ld_session=${sessions[at]}` };
    const { body } = await ask(headers);
    return { expected: `${isKey ? 'key' : 'session'} ${at + 1}`, answer: JSON.parse(body) as Answer };
  };

  it('are each answered as themselves, and stand in one place of the request', async () => {
    const answers = await Promise.all(Array.from({ length: REQUESTS }, (_, n) => who(n)));

    expect(answers.filter(({ expected, answer }) => answer.name !== expected)).toEqual([]);
    expect(answers.every(({ answer }) => answer.hasAsked)).toBe(true);
    expect(answers.filter(({ answer }) => answer.elsewhere.length > 0)).toEqual([]);
  });

  it('are nobody without the strategy, whatever the store would say', async () => {
    passport.unuse(API_KEY_SCHEME);
    const before = questions;
    const { status } = await ask({ 'ld-api-key': keys[0] ?? '' });

    expect([status, questions - before]).toEqual([500, 0]);
  });
});
