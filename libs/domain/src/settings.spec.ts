import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import {
  ConfigInvalid,
  flagSetting,
  parseSettings,
  portSetting,
  readTls,
  secondsSetting,
  settingProblems,
  SHARED_SETTINGS,
} from './settings.js';
import { listSetting } from './starts/list-settings.js';

const KEY = `k1:${'A'.repeat(43)}=`;
const schema = z.object({ PORT: portSetting, FLAG: flagSetting, LIST: listSetting.default([]), SECRET: z.string() });

describe('Settings', () => {
  const directory = mkdtempSync(join(tmpdir(), 'settings-'));
  afterAll(() => rmSync(directory, { recursive: true }));

  it('report all problems at once', () => {
    const parse = () => parseSettings(schema, { PORT: '99999', FLAG: 'maybe' });

    expect(parse).toThrow(ConfigInvalid);
    expect(parse).toThrow(/PORT[\s\S]*FLAG[\s\S]*SECRET|SECRET[\s\S]*PORT/);
  });

  it('can be read from a file, and treat empty values as absent', () => {
    const file = join(directory, 'secret');
    writeFileSync(file, 'from the file\n');

    const settings = parseSettings(schema, {
      PORT: '80',
      FLAG: 'true',
      LIST: ' a, b ,',
      SECRET: '',
      SECRET_FILE: file,
    });

    expect(settings).toEqual({ PORT: 80, FLAG: true, LIST: ['a', 'b'], SECRET: 'from the file' });
  });

  it('take the value itself before the file, and a file that cannot be read counts as absent', () => {
    const variables = { PORT: '80', FLAG: 'false', SECRET: 'itself', SECRET_FILE: join(directory, 'none') };

    expect(parseSettings(schema, variables)).toEqual({ PORT: 80, FLAG: false, LIST: [], SECRET: 'itself' });
    expect(() => parseSettings(schema, { ...variables, SECRET: undefined })).toThrow(/SECRET/);
  });

  it('read the setting whose own name ends with _FILE', () => {
    const named = z.object({ CATALOG_FILE: z.string(), CATALOG: z.string().optional() });

    expect(parseSettings(named, { CATALOG: 'c', CATALOG_FILE: 'not read' })).toEqual({
      CATALOG: 'c',
      CATALOG_FILE: 'not read',
    });
  });

  it.each([
    ['PORT', portSetting, ['1', '65535'], ['0', '65536', '1.5', 'x']],
    ['SECONDS', secondsSetting, ['1'], ['0', '-1', '1.5']],
    ['SHUTDOWN_DRAIN_SECONDS', SHARED_SETTINGS.SHUTDOWN_DRAIN_SECONDS, ['0', '300'], ['-1', '301', '0.5']],
    ['RATE_LIMIT', SHARED_SETTINGS.RATE_LIMIT, ['off', '1', '1000000'], ['0', '1000001', '1.5', 'on']],
    ['METRICS_TOKEN', SHARED_SETTINGS.METRICS_TOKEN, ['a'.repeat(16)], ['a'.repeat(15)]],
    [
      'DATABASE_URL',
      SHARED_SETTINGS.DATABASE_URL,
      ['postgres://h/d', 'postgresql://u:p@h:1/d'],
      ['', 'x', 'mysql://h/d'],
    ],
    ['QUEUE_URL', SHARED_SETTINGS.QUEUE_URL, ['off', 'redis://h:1', 'rediss://h'], ['on', 'http://h']],
    ['LANDLORD_SECRET_KEYS', SHARED_SETTINGS.LANDLORD_SECRET_KEYS, [KEY, `${KEY}, k2:${KEY.slice(3)}`], ['', 'k1:x']],
  ] as [string, z.ZodType, string[], string[]][])('limit %s', (_, setting, valid, invalid) => {
    expect([...valid, ...invalid].filter((value) => setting.safeParse(value).success)).toEqual(valid);
  });

  it('have defaults, and no limit of requests with `off`', () => {
    const shared = z.object(SHARED_SETTINGS);
    const required = { DATABASE_URL: 'postgres://x', LANDLORD_SECRET_KEYS: KEY };

    expect(parseSettings(shared, required)).toEqual({
      ...required,
      LANDLORD_DATA_DIR: '.landlord',
      TRUSTED_PROXIES: [],
      BASE_DOMAIN: 'landlord.local',
      LANDLORD_DNS: 'local',
      SHUTDOWN_DRAIN_SECONDS: 0,
      ALLOW_PRIVATE_DESTINATIONS: false,
      RATE_LIMIT: 600,
      LOG_LEVEL: 'info',
    });
    expect(parseSettings(shared, { ...required, RATE_LIMIT: 'off' }).RATE_LIMIT).toBeNull();
  });

  it('read networks in one form, and name both meanings of a network with bits of hosts', () => {
    const proxies = SHARED_SETTINGS.TRUSTED_PROXIES;
    expect(proxies.parse('10.0.0.0/8, ::ffff:192.0.2.0/120,2001:DB8::1')).toEqual([
      ...['10.0.0.0/8', '192.0.2.0/24', '2001:db8::1'],
    ]);

    const [first, second] = proxies.safeParse('10.0.0.0/8,203.0.113.7/0,proxy.example').error?.issues ?? [];
    expect(first?.message).toBe('entry 2 has bits of hosts: did you mean 203.0.113.7/32 or 0.0.0.0/0');
    expect(second?.message).toContain('entry 3 must be an IPv4 or IPv6 address');
  });

  it('name certificate and key together, and both must be readable and belong together', () => {
    const [cert, key] = [join(directory, 'cert'), join(directory, 'key')];
    writeFileSync(cert, 'c');
    writeFileSync(key, 'k');

    expect(readTls({})).toBeUndefined();
    expect(() => readTls({ TLS_CERT: cert, TLS_KEY: key })).toThrow('are not a certificate in PEM and its private key');
    expect(() => readTls({ TLS_CERT: cert })).toThrow('go together');
    expect(() => readTls({ TLS_KEY: key })).toThrow('go together');
    expect(() => readTls({ TLS_CERT: cert, TLS_KEY: join(directory, 'none') })).toThrow('cannot be read (ENOENT)');
  });

  it('say what is expected of each setting, and never show its value', () => {
    const shape = z.object({ ...SHARED_SETTINGS, PORT: portSetting, SECONDS: secondsSetting, URL: z.url() });
    const variables = { RATE_LIMIT: 'secret', PORT: 'secret', SECONDS: '0', URL: 'secret', METRICS_TOKEN: 'secret' };
    const environment = {
      ...{ ...variables, LOG_LEVEL: 'secret', DATABASE_URL_FILE: '/nowhere', TLS_CERT: 'secret' },
      ...{ ALLOW_PRIVATE_DESTINATIONS: 'secret', SSL_CERT_FILE: '/nowhere' },
    };

    const problems = settingProblems(shape, environment);

    expect(Object.fromEntries(problems.map(({ name, expected }) => [name, expected]))).toEqual({
      DATABASE_URL_FILE: '/nowhere cannot be read (ENOENT)',
      LANDLORD_SECRET_KEYS: 'is required',
      RATE_LIMIT: 'must be off, or a whole number from 1 to 1000000',
      PORT: 'must be a number',
      SECONDS: 'must be at least 1',
      URL: 'must be a URL, such as https://cloud.example.com',
      METRICS_TOKEN: 'must have at least 16 characters',
      LOG_LEVEL: 'must be one of fatal, error, warn, info, debug, trace, silent',
      ALLOW_PRIVATE_DESTINATIONS: 'must be one of true, false',
      TLS_KEY: 'TLS_CERT and TLS_KEY go together',
    });
    expect(JSON.stringify(problems)).not.toContain('secret');
  });
});
