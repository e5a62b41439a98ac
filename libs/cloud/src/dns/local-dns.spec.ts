import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publishesAsPromised } from '../../test/dns.contract.fixture.js';
import { until } from '@libs/host/os';
import { LocalDns } from './local-dns.js';
import { NoDns } from './no-dns.js';

const OWNER = { installation: 'here', deployment_id: 9 };

describe('the driver local of names', () => {
  let directories: string[];
  beforeAll(() => {
    directories = [];
  });
  afterAll(() => Promise.all(directories.map((directory) => rm(directory, { recursive: true, force: true }))));

  const aDirectory = async (): Promise<string> => {
    const directory = await mkdtemp(join(tmpdir(), 'landlord-names-'));
    directories.push(directory);
    return directory;
  };
  const recordIn = (dataDir: string, name: string): string =>
    join(dataDir, 'local-cloud', 'dns_record', `${name}.json`);

  describe('fulfils the contract of the port', () =>
    publishesAsPromised(async () => {
      const dataDir = await aDirectory();
      let count = 0;
      return {
        driver: () => new LocalDns(dataDir, 20),
        fresh: () => `name-${(count += 1)}.test`,
        targetOf: async (fqdn) => {
          const text = await readFile(recordIn(dataDir, fqdn), 'utf8').catch(() => null);
          return text === null ? null : (JSON.parse(text) as { spec: { target: string } }).spec.target;
        },
        stop: async () => undefined,
      };
    }));

  it('shows the states of a real zone by the clock', async () => {
    const dns = new LocalDns(await aDirectory(), 60_000);

    const published = await dns.ensure('a.test', '192.0.2.1', OWNER);
    await dns.destroy('a.test');
    const again = await dns.ensure('a.test', '192.0.2.1', OWNER);

    expect(published).toMatchObject({ fqdn: 'a.test', state: 'pending' });
    expect(published.poll_after_ms).toBeGreaterThan(50_000);
    expect(published.poll_after_ms).toBeLessThanOrEqual(60_000);
    expect(again).toMatchObject({ state: 'deleting' });
  });

  it('removes a name that an earlier release has recorded', async () => {
    const dataDir = await aDirectory();
    const path = recordIn(dataDir, 'ld-here-9-dns-record');
    const spec = { fqdn: 'a.test', target: '127.0.0.1' };
    const record = { kind: 'dns_record', name: 'ld-here-9-dns-record', tags: OWNER, spec, created_at: 1 };
    await mkdir(join(path, '..'), { recursive: true });
    await writeFile(path, JSON.stringify({ ...record, deleting_at: null, settle_ms: 10 }));
    const dns = new LocalDns(dataDir, 10);
    const names = ['ld-here-9-dns-record'];

    expect((await dns.describe(names)).get('ld-here-9-dns-record')?.state).toBe('active');
    await dns.destroy('ld-here-9-dns-record');

    const isGone = async (): Promise<boolean> => (await dns.describe(names)).size === 0;
    expect(await until(isGone, { timeoutMs: 5_000, everyMs: 5 })).toBe(true);
    await expect(readFile(path)).rejects.toThrow('ENOENT');
  });

  it('fails as unavailable when the disk fails', async () => {
    const dataDir = await aDirectory();
    await writeFile(join(dataDir, 'local-cloud'), 'a file');

    await expect(new LocalDns(dataDir).ensure('a.test', '192.0.2.1', OWNER)).rejects.toMatchObject({
      refusal: { code: 'unavailable' },
    });
  });
});

describe('the driver none of names', () => {
  it('publishes nothing, and has nothing to wait for or to remove', async () => {
    const dns = new NoDns();

    expect(await dns.ensure('a.test')).toMatchObject({ state: 'active' });
    expect(await dns.describe()).toEqual(new Map());
    await expect(dns.destroy()).resolves.toBeUndefined();
  });
});
