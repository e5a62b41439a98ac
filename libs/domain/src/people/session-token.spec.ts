import { accountOfRole, AWS_FORMATS } from './account-formats.js';
import { csrfOf, hashSession, mintSession, sessionId } from './session-token.js';
import { withoutWebAddresses } from './without-web-addresses.js';

describe('The value of a session cookie', () => {
  it('contains the id of the session and 32 random bytes', () => {
    const [one, other] = [mintSession(7), mintSession(7)];

    expect(one).toMatch(/^7\.[\w-]{43}$/);
    expect(one).not.toBe(other);
    expect(sessionId(one)).toBe(7);
    expect(sessionId(mintSession(1))).toBe(1);
    expect(sessionId(mintSession(Number.MAX_SAFE_INTEGER))).toBe(Number.MAX_SAFE_INTEGER);
  });

  it.each(['', '7', '7.', `0.${'a'.repeat(43)}`, `07.${'a'.repeat(43)}`, `7.${'a'.repeat(42)}`, `7.${'a'.repeat(44)}`])(
    'is not %j',
    (text) => {
      expect(sessionId(text)).toBeNull();
    },
  );

  it('is not an id above the largest safe integer', () => {
    expect(sessionId(`9007199254740992.${'a'.repeat(43)}`)).toBeNull();
  });

  it('gives a stored hash and a token for writes, which differ for each session', () => {
    const [one, other] = [mintSession(7), mintSession(7)];

    expect(hashSession(one)).toHaveLength(32);
    expect(hashSession(one)).not.toEqual(hashSession(other));
    expect(csrfOf(one)).toMatch(/^[\w-]{43}$/);
    expect(csrfOf(one)).not.toBe(csrfOf(other));
    expect(csrfOf(one)).toBe(csrfOf(one));
  });
});

describe('A name in a mail', () => {
  it('has no word that a mail program shows as a link', () => {
    expect(withoutWebAddresses('Ann  https://evil.test WWW.evil.test and\tBob')).toBe(
      'Ann  [link removed] [link removed] and\tBob',
    );
  });
});

describe('The formats of a cloud', () => {
  it('contain the account of a role', () => {
    expect(accountOfRole('arn:aws:iam::123456789012:role/landlord')).toBe('123456789012');
    expect(accountOfRole('arn:aws:iam::123456789012:user/landlord')).toBeNull();
    expect(AWS_FORMATS.account_id.pattern.test('123456789012')).toBe(true);
  });
});
