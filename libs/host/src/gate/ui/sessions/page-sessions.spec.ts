import type { IncomingMessage } from 'node:http';
import { until } from '../../../../test/brokers/embedded.fixture.js';
import { PageSessions, SESSION_MS } from './page-sessions.js';
import { isSameOrigin } from './same-origin.js';
import { cookieHeader, cookieName, tokenOf } from './session-cookie.js';

const withHeaders = (headers: Record<string, string>): IncomingMessage => ({ headers }) as unknown as IncomingMessage;

describe('The sessions of the page', () => {
  it('are found by their token only, and end', () => {
    const sessions = new PageSessions();
    const { token, session } = sessions.start();
    const ended: string[] = [];
    session.onEnd.add(() => ended.push('socket'));

    expect(sessions.find(token)).toBe(session);
    for (const other of [null, '', session.key, `${token}x`]) expect(sessions.find(other)).toBeNull();
    expect(JSON.stringify([...(Reflect.get(sessions, 'sessions') as Map<string, unknown>).keys()])).not.toContain(
      token,
    );
    sessions.end(session);
    expect([sessions.find(token), ended]).toEqual([null, ['socket']]);
  });

  it('end after their lifetime, with their connections', async () => {
    const sessions = new PageSessions(50);
    const { token, session } = sessions.start();
    const ended: string[] = [];
    session.onEnd.add(() => ended.push('socket'));
    expect(sessions.find(token)).toBe(session);

    await until('the session has ended', () => ended.length > 0);

    expect([sessions.find(token), SESSION_MS]).toEqual([null, 8 * 3_600_000]);
  });

  it('are at most 200: a further one ends the oldest', () => {
    const sessions = new PageSessions();
    const tokens = Array.from({ length: 201 }, () => sessions.start().token);

    expect(sessions.find(tokens[0] ?? '')).toBeNull();
    expect(tokens.filter((token) => sessions.find(token) !== null)).toHaveLength(200);
    sessions.endAll();
    expect(tokens.filter((token) => sessions.find(token) !== null)).toEqual([]);
  });
});

describe('The cookie of a session', () => {
  const name = cookieName({ deployment_id: 7, node_id: 3, node_name: 'node-1', driver: 'nats' });

  it('has a name of its deployment and node, and is readable only by the node', () => {
    expect(cookieHeader(name, 'token', true)).toBe(
      'landlord_ui_d7_n3=token; Path=/ui; Max-Age=28800; HttpOnly; SameSite=Strict; Secure',
    );
    expect(cookieHeader(name, null, false)).toBe('landlord_ui_d7_n3=; Path=/ui; Max-Age=0; HttpOnly; SameSite=Strict');
  });

  it('is read among the cookies of other deployments', () => {
    const cookie = 'landlord_ui_d8_n3=other; landlord_ui_d7_n33=near; landlord_ui_d7_n3=own; xlandlord_ui_d7_n3=x';

    expect(tokenOf(withHeaders({ cookie }), name)).toBe('own');
    expect(tokenOf(withHeaders({ cookie: 'landlord_ui_d8_n3=other' }), name)).toBeNull();
    expect(tokenOf(withHeaders({}), name)).toBeNull();
  });
});

describe('The origin of a request', () => {
  const host = 'broker.example:8080';

  it.each([
    [{ origin: 'http://broker.example:8080' }, true],
    [{ origin: 'https://BROKER.example:8080', 'sec-fetch-site': 'same-origin' }, true],
    [{}, false],
    [{ origin: 'null' }, false],
    [{ origin: 'http://broker.example' }, false],
    [{ origin: 'http://broker.example:8081' }, false],
    [{ origin: 'http://evil.example/broker.example:8080' }, false],
    [{ origin: 'http://evil@broker.example:8080' }, false],
    [{ origin: 'http://broker.example:8080.evil.example' }, false],
    [{ origin: 'http://broker.example:8080', 'sec-fetch-site': 'same-site' }, false],
    [{ origin: 'http://broker.example:8080', 'sec-fetch-site': 'cross-site' }, false],
  ])('%j is of the same page: %s', (headers, expected) => {
    expect(isSameOrigin(withHeaders({ host, ...headers }))).toBe(expected);
  });
});
