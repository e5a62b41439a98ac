import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TestCloud } from '@libs/testing';
import { CommandLine } from './command-line.js';

describe('The command line of a person', () => {
  let cloud: TestCloud;
  let person: CommandLine;
  beforeAll(async () => (cloud = await TestCloud.borrow()));
  beforeEach(() => {
    person = new CommandLine();
    writeFileSync(join(person.home, 'key'), cloud.key);
  });
  afterAll(() => cloud.stop());
  const login = (...words: string[]) => person.run('login', '--url', cloud.mainApi.url, '--key-file', 'key', ...words);
  const stored = () =>
    JSON.parse(readFileSync(join(person.home, '.config/landlord/contexts.json'), 'utf8')) as {
      current: string;
      contexts: Record<string, { url: string; ca_file?: string }>;
    };

  it('replaces no context of another installation without a word', async () => {
    const elsewhere = { url: 'https://landlord.example.com', api_key: 'other' };
    mkdirSync(join(person.home, '.config/landlord'), { recursive: true });
    const file = join(person.home, '.config/landlord/contexts.json');
    writeFileSync(file, JSON.stringify({ current: 'default', contexts: { default: elsewhere } }));

    const refused = await login('--name', 'default');
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is for https://landlord.example.com') as string,
    });
    expect(refused.stderr).toContain('--replace');
    expect((await login()).code).toBe(0);
    expect(stored().contexts['default']).toEqual(elsewhere);
    expect(stored().current).toBe(new URL(cloud.mainApi.url).host);
    expect((await login('--name', 'default', '--replace')).code).toBe(0);
    expect(stored().contexts['default']?.url).toBe(cloud.mainApi.url);
  });

  it('uses a file of certificates from any folder, and names the file if it is gone', async () => {
    writeFileSync(join(person.home, 'ca.pem'), '');
    expect((await login('--ca-file', 'ca.pem')).code).toBe(0);
    expect(stored().contexts['default']?.ca_file).toBe(join(person.home, 'ca.pem'));

    await person.run('context', 'set', 'url', cloud.mainApi.url.replace('http:', 'https:'));
    await person.run('context', 'set', 'ca_file', 'gone.pem');
    const gone = await person.run('divisions');
    expect([gone.code, gone.stderr]).toEqual([2, expect.stringContaining(`${person.home}/gone.pem cannot be read`)]);
  });

  it('says how a key comes from stdin, and chooses a context by a variable', async () => {
    const piped = person.start('login', '--url', cloud.mainApi.url);
    piped.stdin?.end(cloud.key);
    expect(await piped.ended).toMatchObject({ code: 2, stderr: expect.stringContaining('--key-file -') as string });
    await login('--name', 'work');
    await person.run('context', 'use', 'none');
    const byVariable = new CommandLine({ ...person.environment, LANDLORD_CONTEXT: 'work' });
    const { tenant_id } = cloud.installation;
    expect(await byVariable.json('whoami')).toMatchObject({
      tenant_id,
      url: cloud.mainApi.url,
      role: expect.any(String) as string,
    });
    const wrong = new CommandLine({ ...person.environment, LANDLORD_CONTEXT: 'nowhere' });
    expect(await wrong.run('whoami')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no context nowhere') as string,
    });
  });

  it('names a proxy that does not answer, without its password', async () => {
    const behind = CommandLine.for(cloud, { http_proxy: 'http://u:secret@127.0.0.1:9' });
    const { code, stderr } = await behind.run('divisions');
    expect([code, stderr]).toEqual([9, expect.stringContaining('the proxy http://127.0.0.1:9 does not answer')]);
    expect(stderr).toContain('try: check http_proxy');
    expect(stderr).not.toContain('secret');
  });

  it('ends with an error when the output cannot be written', async () => {
    const landlord = CommandLine.for(cloud);
    const { command, args, cwd, env } = landlord.program('divisions', 'list');
    const { spawnSync } = await import('node:child_process');
    const script = `"$@" > /dev/full`;
    const { status, stderr } = spawnSync('sh', ['-c', script, 'sh', command, ...args], { cwd, env, encoding: 'utf8' });
    expect([status, stderr]).toEqual([1, expect.stringContaining('The output cannot be written: ')]);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it('names roles, keys and members instead of their ids, and takes a duration for a date', async () => {
    const landlord = CommandLine.for(cloud);
    const days = (time: string): number => Math.round((Date.parse(time) - Date.now()) / 86_400_000);
    const key = await landlord.json<{ id: number; expiry_at: string }>(
      ...['keys', 'create', '--name', 'ci', '--role', 'VIEWER', '--expires-in', '90d'],
    );
    expect(days(key.expiry_at)).toBe(90);
    expect(await landlord.json('keys', 'get', 'CI')).toMatchObject({ id: key.id, role_name: 'viewer' });
    const unknown = await landlord.run('keys', 'get', 'nosuch');
    expect(unknown).toMatchObject({
      code: 4,
      stdout: '',
      stderr: expect.stringContaining('landlord keys list') as string,
    });
    const [owner] = await landlord.json<{ id: number; email: string }[]>('members');
    const entries = await landlord.json<{ type: string; author: { id: number } }[]>(
      ...['audit', '--author', owner?.email ?? '', '--since', '24h', '--types', 'api_key_created'],
    );
    expect(entries.map(({ author }) => author.id)).toContain(owner?.id);
    const typo = await landlord.run('audit', '--types', 'api_key_creatd');
    expect([typo.code, typo.stderr]).toEqual([2, expect.stringContaining('Did you mean api_key_created?')]);
    expect(typo.stderr.length).toBeLessThan(300);
    const once = await landlord.run('audit', '--from', 'yesterday');
    expect([once.code, once.stderr.match(/must be/g)]).toEqual([5, ['must be']]);
  });
});

describe('landlord api', () => {
  let cloud: TestCloud;
  let landlord: CommandLine;
  beforeAll(async () => {
    cloud = await TestCloud.borrow();
    landlord = CommandLine.for(cloud);
  });
  afterAll(() => cloud.stop());

  it('sends fields, reads every page, and prints a part', async () => {
    const path = '/tenants/{tenant_id}/divisions';
    for (const name of ['one', 'two', 'three'])
      expect((await landlord.run('api', path, '-f', `name=${name}`, '-f', 'protected=false')).code).toBe(0);
    const names = await landlord.run('api', 'GET', path, '-f', 'results=2', '--paginate', '--select', '.[].name');
    expect(names).toMatchObject({ code: 0, stderr: '' });
    expect(names.stdout.trim().split('\n').sort()).toEqual(['Default', 'one', 'three', 'two']);
    const one = await landlord.run('api', 'GET', `${path}/{division_id}`, '--division', 'ONE');
    expect([one.stdout.endsWith('}\n'), JSON.parse(one.stdout)]).toMatchObject([true, { name: 'one' }]);
  });

  it('ends with the code of the class of the answer', async () => {
    const [missing, refused, wrong] = await Promise.all([
      landlord.run('api', '/tenants/{tenant_id}/divisions/999999999'),
      landlord.run('api', 'POST', '/tenants/{tenant_id}/divisions', '--body', '{"name":7}'),
      landlord.run('api', '/errors', '--select', 'items|length'),
    ]);
    expect([missing.code, refused.code, wrong.code]).toEqual([4, 5, 2]);
    expect(wrong.stderr).toContain('is not a path');
  });
});
