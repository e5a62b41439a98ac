import { until } from '../../../test/brokers/embedded.fixture.js';
import { ClientLogins } from './client-logins.js';

const ME = { username: 'me', password: 'new' };
const at = (ms: number): string => new Date(ms).toISOString();
const previousUntil = (validTo: string | null) => ({ ...ME, previous: { password: 'old', valid_to: validTo } });
const passwords = (logins: ClientLogins): string[] => logins.accepted().map(({ password }) => password);

describe('The passwords that a node accepts', () => {
  it('are the current one, and the previous one until its end', () => {
    const soon = new ClientLogins(previousUntil(at(Date.now() + 60_000)));
    const over = new ClientLogins(previousUntil(at(Date.now() - 1)));
    const endless = new ClientLogins(previousUntil(null));

    expect([soon, over, endless].map(passwords)).toEqual([['new', 'old'], ['new'], ['new', 'old']]);
    expect(soon.verify('me', 'old')).toEqual({ username: 'me', password: 'old' });
    expect(soon.verify('me', Buffer.from('new'))).toEqual(ME);
    expect(over.verify('me', 'old')).toBeNull();
  });

  it('are refused with another user name, and no part of them is accepted', () => {
    const logins = new ClientLogins(previousUntil(null));
    const wrong: [string, string][] = [
      ['you', 'new'],
      ['you', 'old'],
      ['me', 'ol'],
      ['me', ''],
      ['', ''],
    ];

    expect(wrong.map(([username, password]) => logins.verify(username, password))).toEqual(wrong.map(() => null));
  });

  it('end by the clock of the server', () => {
    const logins = new ClientLogins({ ...ME, previous: null });
    const inAMinute = previousUntil(at(Date.now() + 60_000));

    logins.set(inAMinute, 0);
    expect(passwords(logins)).toEqual(['new', 'old']);
    logins.set(inAMinute, 120_000);
    expect(passwords(logins)).toEqual(['new']);
    logins.set(inAMinute, 0);
    logins.set({ ...ME, previous: null }, 0);
  });

  it('never include a password whose end is no time', () => {
    expect(passwords(new ClientLogins(previousUntil('soon')))).toEqual(['new']);
  });
});

describe('Connections that signed in', () => {
  it('are closed when their password is no longer good, and others are not', () => {
    const logins = new ClientLogins({ username: 'me', password: 'old', previous: null });
    const closed: string[] = [];
    logins.hold({ username: 'me', password: 'old' }, () => closed.push('old'));
    logins.hold({ username: 'me', password: 'old' }, () => closed.push('gone'))();

    logins.set(previousUntil(null), 0);
    logins.hold(ME, () => closed.push('new'));
    expect(closed).toEqual([]);
    logins.set({ ...ME, previous: null }, 0);

    expect(closed).toEqual(['old']);
    logins.set({ username: 'me', password: 'newest', previous: { password: 'new', valid_to: null } }, 0);
    expect(closed).toEqual(['old']);
  });

  it('are closed at the end of the previous password without another change, once', async () => {
    const logins = new ClientLogins({ username: 'me', password: 'old', previous: null });
    const closed: number[] = [];
    logins.hold({ username: 'me', password: 'old' }, () => closed.push(Date.now()));
    const end = Date.now() + 300;

    logins.set(previousUntil(at(end)), 0);

    await until('the connection is closed', () => closed.length > 0);
    expect(closed[0]).toBeGreaterThanOrEqual(end);
    logins.set({ ...ME, previous: null }, 0);
    expect(closed).toHaveLength(1);
  });
});

describe('A rotation', () => {
  it('is reported for a new current password only', () => {
    const logins = new ClientLogins({ username: 'me', password: 'old', previous: null });
    let rotations = 0;
    logins.onRotation(() => (rotations += 1));

    logins.set({ username: 'me', password: 'old', previous: null }, 5);
    expect(rotations).toBe(0);
    logins.set(previousUntil(null), 0);
    logins.set({ ...ME, previous: null }, 0);

    expect(rotations).toBe(1);
    expect(logins.current).toEqual(ME);
  });
});
