import { isSecretName, maskMembers, maskSecrets, maskTexts } from './secret-patterns.js';

const PEM = '-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA\nplanted\n-----END RSA PRIVATE KEY-----';

describe('maskSecrets', () => {
  it.each([
    ['a bearer token', 'authorization: Bearer abc.DEF-123456', 'abc.DEF-123456'],
    ['basic credentials', 'Authorization: Basic dXNlcjpwYXNz', 'dXNlcjpwYXNz'],
    ['an API key of ours', 'used ld_0123456789abcdef here', 'ld_0123456789abcdef'],
    ['a password in an address', 'postgres://app:s3cr3t-words@db:5432/x', 's3cr3t-words'],
    ['a password with signs in an address', 'mqtt://u:p%40ss:word@h', 'p%40ss:word'],
    ['a private key', `key is ${PEM} end`, 'MIIEowIBAAKCAQEA'],
    ['a private key that is cut off', PEM.slice(0, 60), 'MIIEowIBAAKCAQEA'],
    ['an access key of AWS', 'id AKIAIOSFODNN7EXAMPLE', 'AKIAIOSFODNN7EXAMPLE'],
    ['a JWT', 'got eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl', 'eyJzdWIiOiIxMjM0In0'],
    ['a token of a vendor', 'ghp_abcdefghijklmnopqrstuvwxyz012345', 'ghp_abcdefghijklmnopqrstuvwxyz012345'],
    ['base64 after a name', 'password=TWFueSBoYW5kcyBtYWtlIGxpZ2h0IHdvcmsu', 'TWFueSBoYW5kcyBtYWtlIGxpZ2h0IHdvcmsu'],
    ['a member of JSON', '{"user":"a","api_key": "q w e"}', 'q w e'],
    ['a quoted word with quotes in it', String.raw`secret="a\"b c"`, 'b c'],
    ['a setting', 'cluster.auth.shared_secret: hunter2', 'hunter2'],
    ['an option', "run --db-password='open sesame'", 'sesame'],
  ])('masks %s', (_, text, secret) => {
    const masked = maskSecrets(text);

    expect(masked).not.toContain(secret);
    expect(masked).toContain('********');
  });

  it('does not change texts that only look similar to secrets', () => {
    const text = 'GET https://host:8080/path?x=1 200 commit 9f86d081884c7d659a2f token accepted, key count 3';

    expect(maskSecrets(text)).toBe(text);
  });

  it('does not mask a mask again', () => {
    const once = maskSecrets('{"password":"hunter22"} Bearer abcdefgh mqtt://u:pass@h');

    expect(maskSecrets(once)).toBe(once);
  });

  it('ends in time for a long line that nearly matches', () => {
    const begun = performance.now();
    maskSecrets(
      `${'a'.repeat(50_000)} ${'password'.repeat(5_000)} ${'-----BEGIN '.repeat(2_000)} ${'x://'.repeat(9_000)}`,
    );

    // Backtracking from each position would take minutes.
    expect(performance.now() - begun).toBeLessThan(30_000);
  });
});

describe('maskMembers', () => {
  it('masks members by their names at every depth, and texts by their patterns', () => {
    const settings = {
      'encryption.key': 'abc',
      'http.jwt.encoding_secret': 'def',
      'tls.key_file': '/etc/key.pem',
      'auth.token_ttl': 60,
      'auth.password': '',
      users: [{ name: 'a', passwd: 'x', pin_code: 1234 }],
      nested: { api_key: { value: 'deep' } },
      url: 'https://u:p@h/',
    };

    expect(maskMembers(settings)).toEqual({
      'encryption.key': '********',
      'http.jwt.encoding_secret': '********',
      'tls.key_file': '/etc/key.pem',
      'auth.token_ttl': 60,
      'auth.password': '',
      users: [{ name: 'a', passwd: '********', pin_code: 1234 }],
      nested: { api_key: { value: '********' } },
      url: 'https://********@h/',
    });
  });

  it('distinguishes names of secrets from names of related settings', () => {
    const names = ['DB_PASSWORD', 'LANDLORD_SECRET_KEYS', 'AWS_SECRET_ACCESS_KEY', 'github.token', 'sasl.credentials'];
    expect(names.filter(isSecretName)).toEqual(names);
    expect(['PASSWORD_FILE', 'token_ttl', 'keyboard', 'monkey', 'credentials_version'].filter(isSecretName)).toEqual(
      [],
    );
  });
});

describe('maskTexts', () => {
  it('keeps names, and values that are not texts', () => {
    const at = new Date(0);
    const value = { credentials_since: 'now', at, count: 1, said: ['password=hunter2'] };

    expect(maskTexts(value)).toEqual({ credentials_since: 'now', at, count: 1, said: ['password=********'] });
  });
});
