import { adminKeys, changedKeys, maskSecrets, withKeptSecrets } from './config-values.js';
import { admin, secret, text } from './setting-kinds.js';
import { writtenValues } from './written-values.js';

/** No release has a secret that users write, so this table has one. */
const SETTINGS = {
  'login.url': admin(secret('', 'URL with a password.')),
  'login.name': text('', 'Name.'),
  'login.key': { ...secret('', 'Key of the platform.'), editable: false },
};
const KEY = 'login.url';
/** A secret of a release. */
const STORED = 'system.encryption.key';
const SECRET = 'https://user:password@login.example';
const masked = writtenValues({ login: { url: '********' } });

describe('The mask of a secret', () => {
  it('is replaced with the stored secret', () => {
    const { written, issues } = withKeptSecrets(SETTINGS, masked, { [KEY]: SECRET });

    expect(written).toEqual([{ key: KEY, value: SECRET, pointer: '/login/url' }]);
    expect(issues).toEqual([]);
  });

  it.each([{}, { [KEY]: '' }])('is refused when the stored values are %j', (stored) => {
    expect(withKeptSecrets(SETTINGS, masked, stored).issues).toMatchObject([
      { pointer: '/login/url', code: 'no_secret_kept' },
    ]);
  });

  it.each(['name', 'key', 'none'])('is plain text in the key login.%s, which is no secret of users', (name) => {
    const written = writtenValues({ login: { [name]: '********' } });

    expect(withKeptSecrets(SETTINGS, written, {})).toEqual({ written, issues: [] });
  });

  it('hides every secret, and unknown keys', () => {
    const flat = { [STORED]: SECRET, 'http.jwt.issuer': 'me', 'gone.password': 'x' };

    expect(maskSecrets('iggy', '0.8.0', flat)).toEqual({
      [STORED]: '********',
      'http.jwt.issuer': 'me',
      'gone.password': '********',
    });
    expect(maskSecrets('iggy', '0.8.0', { [STORED]: '' })).toEqual({ [STORED]: '' });
  });
});

describe('changedKeys', () => {
  const changes = (from: object, to: object) => changedKeys('iggy', '0.8.0', { ...from }, { ...to });

  it('lists differences including defaults, but not different spellings of equal values', () => {
    expect(
      changes({ 'heartbeat.interval': '5s' }, { 'heartbeat.interval': '5000 ms', 'quic.send_window': '100000 B' }),
    ).toEqual([]);
    expect(changes({}, { 'heartbeat.interval': '1m' })).toEqual([
      { key: 'heartbeat.interval', from: '5s', to: '1m', secret: false, restart_required: true },
    ]);
  });

  it('lists no difference between words of equal meaning', () => {
    const expiry = 'system.topic.message_expiry';

    expect(changes({ [expiry]: 'none' }, { [expiry]: 'never_expire' })).toEqual([]);
    expect(changes({ [expiry]: 'none' }, { [expiry]: '1 h' })).toHaveLength(1);
  });

  it('shows only masks for a changed secret', () => {
    const [change] = changes({ [STORED]: SECRET }, { [STORED]: `${SECRET}/2` });

    expect(change).toEqual({ key: STORED, from: '********', to: '********', secret: true, restart_required: true });
    expect(changes({ [STORED]: SECRET }, { [STORED]: SECRET })).toEqual([]);
  });
});

describe('adminKeys', () => {
  it('finds administrator keys in any notation', () => {
    const written = writtenValues({
      system: { sharding: { cpu_allocation: '1' } },
      'system.memory_pool.size': '1 GiB',
      quic: { enabled: true },
    });

    expect(adminKeys('iggy', '0.8.0', written)).toEqual(['system.sharding.cpu_allocation', 'system.memory_pool.size']);
    expect(adminKeys('embedded', '1.0.0', written)).toEqual([]);
  });
});
