import { adminKeys, changedKeys, maskSecrets, withKeptSecrets } from './config-values.js';
import { writtenValues } from './written-values.js';

const KEY = 'external_auth.url';
const SECRET = 'https://user:password@login.example';
const masked = writtenValues({ external_auth: { url: '********' } });

describe('The mask of a secret', () => {
  it('is replaced with the stored secret', () => {
    const { written, issues } = withKeptSecrets('iggy', '0.10.0', masked, { [KEY]: SECRET });

    expect(written).toEqual([{ key: KEY, value: SECRET, pointer: '/external_auth/url' }]);
    expect(issues).toEqual([]);
  });

  it.each([{}, { [KEY]: '' }])('is refused when the stored values are %j', (kept) => {
    expect(withKeptSecrets('iggy', '0.10.0', masked, kept).issues).toMatchObject([
      { pointer: '/external_auth/url', code: 'no_secret_kept' },
    ]);
  });

  it('is plain text in a key that is not secret', () => {
    const written = writtenValues({ 'telemetry.service_name': '********' });

    expect(withKeptSecrets('iggy', '0.10.0', written, {})).toEqual({ written, issues: [] });
  });

  it('hides every secret, and unknown keys', () => {
    const flat = { [KEY]: SECRET, 'http.jwt.issuer': 'me', 'gone.password': 'x' };

    expect(maskSecrets('iggy', '0.10.0', flat)).toEqual({
      [KEY]: '********',
      'http.jwt.issuer': 'me',
      'gone.password': '********',
    });
    expect(maskSecrets('iggy', '0.10.0', { [KEY]: '' })).toEqual({ [KEY]: '' });
  });
});

describe('changedKeys', () => {
  const changes = (from: object, to: object) => changedKeys('iggy', '0.10.0', { ...from }, { ...to });

  it('lists differences including defaults, but not different spellings of equal values', () => {
    expect(
      changes({ 'heartbeat.interval': '30s' }, { 'heartbeat.interval': '30 s', 'quic.send_window': '65536 KiB' }),
    ).toEqual([]);
    expect(changes({}, { 'heartbeat.interval': '1m' })).toEqual([
      { key: 'heartbeat.interval', from: '30 s', to: '1m', secret: false, restart_required: true },
    ]);
  });

  it('shows only masks for a changed secret', () => {
    const [change] = changes({ [KEY]: SECRET }, { [KEY]: `${SECRET}/2` });

    expect(change).toEqual({ key: KEY, from: '********', to: '********', secret: true, restart_required: true });
    expect(changes({ [KEY]: SECRET }, { [KEY]: SECRET })).toEqual([]);
  });
});

describe('adminKeys', () => {
  it('finds administrator keys in any notation', () => {
    const written = writtenValues({
      sharding: { pin_cores: false },
      'memory_pool.size': '1 GiB',
      quic: { enabled: true },
    });

    expect(adminKeys('iggy', '0.10.0', written)).toEqual(['sharding.pin_cores', 'memory_pool.size']);
    expect(adminKeys('embedded', '1.0.0', written)).toEqual([]);
  });
});
