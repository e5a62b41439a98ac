import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { eventually, TestCloud } from '@libs/testing';
import { CommandLine } from './command-line.js';

interface OperationOut {
  id: number;
  status: string;
  deployment_id: number;
}

describe('The command line', () => {
  let cloud: TestCloud;
  let landlord: CommandLine;
  beforeAll(async () => {
    cloud = await TestCloud.borrow();
    landlord = CommandLine.for(cloud);
  });
  afterAll(() => cloud.stop());

  it('takes a deployment from the order to a client and to its deletion', async () => {
    const created = await landlord.run(
      'deployments',
      'create',
      '--starter',
      '--name',
      'orders',
      '--division',
      'Default',
      '--wait',
      '-o',
      'json',
    );
    expect([created.stderr, created.code]).toEqual([created.stderr, 0]);
    const operation = JSON.parse(created.stdout) as OperationOut;
    expect(operation).toMatchObject({ type: 'provision_deployment', status: 'succeeded' });
    const events = created.stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { step: string; status: string });
    expect(events.at(-1)).toMatchObject({ step: 'initialized', status: 'succeeded' });

    expect((await landlord.run('deployments', 'list', '-o', 'name')).stdout).toBe('orders\n');
    expect(await landlord.json('deployments', 'get', 'ORDERS')).toMatchObject({
      id: operation.deployment_id,
      name: 'orders',
    });
    const { username, nodes } = await landlord.json<{ username: string; nodes: { tcp: string }[] }>(
      'deployments',
      'connect',
      'orders',
    );
    const [host = '', port = ''] = nodes[0]?.tcp.split(':') ?? [];
    const program = [
      '--exec',
      process.execPath,
      '-e',
      'console.log(process.argv.slice(1).join(" "))',
      '{username}',
      '{host}',
      '{port}',
    ];
    const started = await landlord.run('deployments', 'connect', 'orders', ...program);
    expect(started).toMatchObject({ code: 0, stdout: `${username} ${host} ${port}\n` });

    await landlord.json('rules', 'add', '203.0.113.0/24', '-d', 'orders', '--for', '2', '--protocols', 'tcp');
    const rules = await landlord.json<{ cidr_blocks: string[]; rules: object }[]>('rules', 'list', '-d', 'orders');
    expect(rules.find(({ cidr_blocks }) => cidr_blocks.includes('203.0.113.0/24'))).toMatchObject({
      ...{
        name: '203.0.113.0-24',
        rules: { broker_tcp: true, broker_http: false, broker_websocket: false, broker_udp: false },
      },
    });

    const [newest, named, none] = await Promise.all([
      landlord.run('events', '-d', 'orders'),
      landlord.run('events', String(operation.id), '-o', 'json'),
      landlord.run('events', 'newest'),
    ]);
    expect(newest.stdout).toMatch(/succeeded initialized\n$/);
    expect(named.stdout.trim().split('\n')).toHaveLength(newest.stdout.trim().split('\n').length);
    expect(none).toMatchObject({ code: 2, stdout: '' });

    const refused = await landlord.run('deployments', 'delete', 'orders');
    expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--yes') as string });
    const deleted = await landlord.run('deployments', 'delete', 'orders', '--yes', '--wait');
    expect([deleted.stderr, deleted.code]).toEqual([deleted.stderr, 0]);
    expect(await landlord.run('deployments', 'get', 'orders')).toMatchObject({
      ...{ code: 4, stdout: '', stderr: 'There is no deployment "orders".\ntry: landlord deployments list\n' },
    });
  });

  it('sends the members of options in their form, and those of --body', async () => {
    writeFileSync(join(landlord.home, 'body.json'), '{"description": "of a file"}');
    const priced = (size: number) =>
      landlord.json<{ breakdown: { storage_usd: number } }>(
        ...['deployments', 'preview', '--cloud', 'aws', '--region', 'us-east-1', '--tier', 'small'],
        ...['--managed-tier', 'standard', '--storage-type', 'network_balanced', '--storage-size', String(size)],
      );
    const [one, two] = [await priced(100), await priced(200)];
    expect(two.breakdown.storage_usd).toBe(2 * one.breakdown.storage_usd);
    const planned = await landlord.json<typeof one>(
      ...['deployments', 'create', '--managed', '--name', 'planned', '--tier', 'small', '--managed-tier', 'standard'],
      ...['--cluster', 'cluster', '--body', '{"storage":{"type":"network_balanced","size":100}}', '--dry-run'],
    );
    expect(planned.breakdown.storage_usd).toBe(one.breakdown.storage_usd);
    expect((await landlord.run('deployments', 'list', '-o', 'name')).stdout).not.toContain('planned');

    const division = await landlord.json<{ id: number }>(
      'divisions',
      'create',
      '--name',
      'Of options',
      '--body',
      '@body.json',
    );
    expect(await landlord.json('divisions', 'get', 'of options')).toMatchObject({
      id: division.id,
      description: 'of a file',
    });
    await landlord.run('divisions', 'update', String(division.id), '--protected', 'true');
    expect(await landlord.json('divisions', 'get', 'Of options')).toMatchObject({ protected: true });
  });

  it('prints tables, YAML and names, and everything else on stderr', async () => {
    const [tabled, yaml, none] = await Promise.all([
      landlord.run('divisions', 'list'),
      landlord.run('divisions', 'list', '-o', 'yaml'),
      landlord.run('keys', 'list', '--page', '99'),
    ]);

    expect(tabled.stdout.split('\n')[0]).toMatch(/^ID\s+NAME\s/);
    expect(yaml.stdout).toMatch(/^- id: \d+$/m);
    expect(none.stdout).toBe('none\n');
    expect([tabled, yaml, none].map(({ stderr }) => stderr)).toEqual(['', '', '']);
  });

  it('ends with the code of each class of errors, and says what to do next', async () => {
    const stranger = new CommandLine({ LANDLORD_URL: cloud.mainApi.url, LD_API_KEY: 'ld_wrong', LD_TENANT_ID: '1' });
    const nobody = new CommandLine({ LANDLORD_URL: 'http://127.0.0.1:9', LANDLORD_API_KEY: 'ld_secret' });
    const withLogin = new CommandLine({
      LANDLORD_URL: 'http://u:ld_secret@127.0.0.1:9',
      LANDLORD_API_KEY: 'ld_secret',
    });
    const twoKeys = CommandLine.for(cloud, { LANDLORD_API_KEY: `${cloud.key}\n${cloud.key}` });
    const secure = CommandLine.for(cloud, { LANDLORD_URL: cloud.mainApi.url.replace('http:', 'https:') });
    await landlord.run('divisions', 'create', '--name', 'Taken');
    const cases: [number, RegExp, Promise<{ code: number | null; stderr: string; stdout: string }>][] = [
      [2, /unknown option '--nmae'/, landlord.run('divisions', 'create', '--nmae', 'x')],
      [2, /unknown command 'creat'/, landlord.run('divisions', 'creat')],
      [2, /Allowed choices are aws, gcp/, landlord.run('deployments', 'create-starter', '--cloud', 'azure')],
      [2, /is not JSON/, landlord.run('divisions', 'create', '--body', '{')],
      [2, /missing.json cannot be read/, landlord.run('divisions', 'create', '--body', '@missing.json')],
      [2, /starter deployment has no --tier/, landlord.run('deployments', 'create', '--starter', '--tier', 'small')],
      [2, /try: landlord config set <key>=<value>, or a script as EDITOR/, landlord.run('config', 'edit')],
      [2, /no preview for create-starter/, landlord.run('deployments', 'create', '--starter', '--dry-run')],
      [2, /--tenant must be an id, and is "1e3"/, landlord.run('divisions', 'list', '--tenant', '1e3')],
      [
        2,
        /--tenant must be an id, and is "9007199254740993"/,
        landlord.run('divisions', 'list', '--tenant', '9007199254740993'),
      ],
      [
        2,
        /--for must be a duration such as 2h, or a number of hours from 0 to \d+, and is "1e99"/,
        landlord.run('rules', 'add', '203.0.113.7', '--for', '1e99'),
      ],
      [2, /no context constructor/, landlord.run('divisions', 'list', '--context', 'constructor')],
      [2, /"nonsense" is not an address/, landlord.run('divisions', 'list', '--url', 'nonsense')],
      [
        2,
        /--results is "9007199254740993", which is too/,
        landlord.run('keys', 'list', '--results', '9007199254740993'),
      ],
      [4, /no deployment "9007199254740993"/, landlord.run('deployments', 'get', '9007199254740993')],
      [9, /GET http:\/\/127.0.0.1:9\//, nobody.run('divisions', 'list', '--url', 'http://u:ld_secret@127.0.0.1:9')],
      [9, /does not answer: .*ECONNREFUSED/, nobody.run('api', 'GET', '/errors')],
      [9, /http:\/\/127.0.0.1:9 does not answer[^]*try: landlord context show/, withLogin.run('api', 'GET', '/errors')],
      [2, /The API key has a line break/, twoKeys.run('divisions', 'list')],
      [2, /The API key has a line break/, twoKeys.run('api', 'GET', '/errors')],
      [9, /the server speaks http[^]*try: .*landlord context set url http:/, secure.run('divisions', 'list')],
      [9, /the server speaks http[^]*try: .*landlord context set url http:/, secure.run('api', 'GET', '/errors')],
      [3, /try: landlord login/, stranger.run('divisions', 'list')],
      [3, /There is no key/, new CommandLine().run('divisions', 'list')],
      [4, /try: landlord divisions list/, landlord.run('environments', 'list', '--division', 'nowhere')],
      [5, /name: must be/, landlord.run('divisions', 'create', '--name', ' ')],
      [6, /Another division has the name Taken/, landlord.run('divisions', 'create', '--name', 'Taken')],
      [9, /ECONNREFUSED[^]*try: landlord context show/, nobody.run('divisions', 'list')],
    ];

    for (const [code, text, ended] of cases) {
      const { code: actual, stderr, stdout } = await ended;
      expect(stderr).toMatch(text);
      expect([actual, stdout]).toEqual([code, '']);
      expect(stderr).not.toMatch(/ld_wrong|ld_secret|SSL|\n\s+at /);
      expect(stderr).not.toContain(cloud.key);
    }
  });

  it('names an answer of a server that is not Landlord', async () => {
    const server = createServer((_asked, answer) => answer.end('<html>Sign in to the Wi-Fi</html>'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const elsewhere = new CommandLine({
      LANDLORD_URL: `http://127.0.0.1:${port}`,
      LANDLORD_API_KEY: 'k',
      LANDLORD_TENANT_ID: '1',
    });

    expect(await elsewhere.run('divisions', 'list')).toMatchObject({
      code: 9,
      stderr: expect.stringContaining('the answer is not JSON') as string,
    });
    server.close();
  });

  it('stores a key that only its owner can read, and never shows it', async () => {
    const person = new CommandLine();
    writeFileSync(join(person.home, 'key'), `${cloud.key}\n`);
    const login = await person.run('login', '--url', cloud.mainApi.url, '--name', 'work', '--key-file', 'key');
    expect([login.stderr, login.code]).toEqual([login.stderr, 0]);

    const file = join(person.home, '.config/landlord/contexts.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      current: 'work',
      contexts: { work: { api_key: cloud.key } },
    });
    expect((await person.run('divisions', 'list')).code).toBe(0);
    const outputs = await Promise.all([person.run('context', 'show'), person.run('context', 'list', '-o', 'json')]);
    for (const { code, stdout, stderr } of [login, ...outputs]) {
      expect(code).toBe(0);
      expect(stdout + stderr).not.toContain(cloud.key);
    }

    await person.run('context', 'set', 'division', 'nowhere');
    expect((await person.run('environments', 'list')).stderr).toContain('The context names the division "nowhere"');
    await person.run('context', 'set', 'division');
    expect((await person.run('logout')).code).toBe(0);
    expect((await person.run('divisions', 'list')).code).toBe(3);
    expect(readFileSync(file, 'utf8')).not.toContain(cloud.key);
  });

  it('takes a key with a line break at its end, and never shows the login of an address', async () => {
    const { host } = new URL(cloud.mainApi.url);
    const person = CommandLine.for(cloud, {
      LANDLORD_URL: `http://u:ld_secret@${host}`,
      LANDLORD_API_KEY: `${cloud.key}\r\n`,
    });
    const shown = await person.run('context', 'show', '-o', 'json');
    expect(JSON.parse(shown.stdout)).toMatchObject({ url: `http://${host}` });

    const key = join(person.home, 'key');
    writeFileSync(key, cloud.key);
    const login = ['login', '--url', `http://u:ld_secret@${host}`, '--key-file', key];
    expect((await new CommandLine({ XDG_CONFIG_HOME: person.home }).run(...login)).code).toBe(0);
    const stored = new CommandLine({ XDG_CONFIG_HOME: person.home });
    const outputs = await Promise.all([
      ...[person.run('divisions', 'list'), person.run('api', 'GET', '/errors')],
      ...[stored.run('context', 'list', '-o', 'json'), stored.run('context', 'show', '-o', 'yaml')],
    ]);
    for (const { code, stdout, stderr } of [shown, ...outputs]) {
      expect([stderr, code]).toEqual([stderr, 0]);
      expect(stdout + stderr).not.toContain('ld_secret');
    }
  });

  it('does not store a key that the installation refuses, and asks nobody without a terminal', async () => {
    const person = new CommandLine();
    writeFileSync(join(person.home, 'key'), 'ld_wrong');

    expect((await person.run('login', '--url', cloud.mainApi.url, '--key-file', 'key')).code).toBe(3);
    expect((await person.run('login', '--url', cloud.mainApi.url)).code).toBe(2);
    writeFileSync(join(person.home, 'key'), `${cloud.key}\u0007`);
    const wrong = await person.run('login', '--url', cloud.mainApi.url, '--key-file', 'key');
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('The API key has a line break or another')]);
    expect(existsSync(join(person.home, '.config'))).toBe(false);
  });

  it('ends a wait at Ctrl-C, and the operation goes on', async () => {
    const waiting = landlord.start(
      'deployments',
      'create',
      '--starter',
      '--name',
      'interrupted',
      '--division',
      'Default',
      '--wait',
    );
    await new Promise((resolve) => waiting.stderr?.once('data', resolve));
    waiting.kill('SIGINT');

    const { code, stderr } = await waiting.ended;
    const [, id = ''] = /try: landlord operations get (\d+)/.exec(stderr) ?? [];
    expect([stderr, code]).toEqual([stderr, 130]);
    expect([stderr, id]).toEqual([stderr, expect.stringMatching(/^\d+$/)]);
    await eventually('the operation ends', async () => {
      const { status } = await landlord.json<OperationOut>('operations', 'get', id);
      return status === 'succeeded';
    });
    expect((await landlord.run('deployments', 'delete', 'interrupted', '--yes', '--wait')).code).toBe(0);
  });

  it('ends without an error when the reader of its output closes the pipe', async () => {
    const listing = landlord.start('errors', 'list', '-o', 'json');
    listing.stdout?.destroy();

    expect(await listing.ended).toMatchObject({ code: 0, stderr: '' });
  });

  it('sends any request', async () => {
    const { code, stdout } = await landlord.run('api', 'get', '/tenants/{tenant_id}');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ id: cloud.installation.tenant_id });

    const refused = await landlord.run('api', 'POST', '/tenants/{tenant_id}/divisions', '--body', '{"name":7}');
    expect(refused.code).toBe(5);
    expect(JSON.parse(refused.stdout)).toMatchObject({ code: 'validation_failed' });
  });
});
