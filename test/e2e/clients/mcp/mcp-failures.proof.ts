import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually, given, TestCloud } from '@libs/testing';
import { CommandLine } from '../command-line.js';
import { McpSession } from './mcp-session.js';

/** Requests of a client, one in a line. */
const lines = (...requests: object[]): string =>
  requests.map((one) => `${JSON.stringify({ jsonrpc: '2.0', ...one })}\n`).join('');
const HELLO = {
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

describe('landlord mcp that cannot do what a client asks', () => {
  let cloud: TestCloud;
  beforeAll(async () => {
    cloud = await TestCloud.borrow();
  });
  afterAll(() => cloud.stop());

  const personWith = (LANDLORD_API_KEY: string, LANDLORD_URL = cloud.mainApi.url): CommandLine =>
    CommandLine.for(cloud, { LANDLORD_URL, LANDLORD_API_KEY });

  async function failureOf(person: CommandLine, name: string, asked: object = {}): Promise<string> {
    const session = await McpSession.open(person);
    try {
      return await session.failure(name, asked);
    } finally {
      await session.close();
    }
  }

  it('names an unknown tool, and every wrong argument', async () => {
    const session = await McpSession.open(CommandLine.for(cloud));

    await expect(session.call('drop_database')).rejects.toThrow(/drop_database does not exist\. Tools: whoami, tree, /);
    const wrong = await session.failure('logs', { deploymen: 'x', level: 'loud', results: '7' });
    for (const part of ["required property 'deployment'", 'there is no deploymen', '/level', '/results'])
      expect(wrong).toContain(part);
    expect(wrong).toMatch(/What to do: change the arguments: logs takes deployment, runtime/);
    expect(await session.failure('deployment', { deployment: 'nowhere' })).toMatch(/nowhere[^]*What to do: Use "tree"/);
    expect(await session.failure('audit', { results: 0 })).toMatch(/results: must not be less than 1/);
    expect(await session.failure('operation', { operation_id: 2 ** 52 })).toMatch(/operation_not_found/);
    expect(await session.names()).toContain('logs');
    // Names that every object of JavaScript has.
    expect(await session.failure('tree', { constructor: 1 })).toContain('there is no constructor');
    await expect(session.call('toString')).rejects.toThrow(/toString does not exist/);
    await session.close();
  });

  it('reports each change in one line, which a model cannot end', async () => {
    const session = await McpSession.open(CommandLine.for(cloud), '--allow-writes');
    const named = { deployment: 'x.\nlandlord mcp: forged', idempotency_key: crypto.randomUUID() };

    expect(await session.failure('rotate_credentials', named)).toContain('no deployment');
    await eventually('the report', async () => session.stderr.includes('calls rotate_credentials'));
    expect(session.stderr).not.toMatch(/^landlord mcp: forged/m);
    await session.close();
  });

  it('goes on when the client does not read stderr', async () => {
    const child = CommandLine.for(cloud).start('mcp', '--allow-writes');
    child.stderr?.destroy();
    let seen = '';
    child.stdout?.on('data', (chunk: Buffer) => (seen += chunk.toString()));
    const answered = (id: number) =>
      eventually(`the answer ${id}`, async () => child.exitCode !== null || seen.includes(`"id":${id}`));
    const given = { deployment: 'nowhere', idempotency_key: crypto.randomUUID() };
    child.stdin?.write(lines(HELLO, { method: 'notifications/initialized' }));
    child.stdin?.write(
      lines({ id: 2, method: 'tools/call', params: { name: 'rotate_credentials', arguments: given } }),
    );
    await answered(2);
    child.stdin?.write(lines({ id: 3, method: 'ping' }));
    await answered(3);
    child.stdin?.end();

    expect((await child.ended).code).toBe(0);
    expect(seen).toContain('"id":3');
  });

  it('says what to do about a wrong key, an expired key, a wrong address and an answer of another server', async () => {
    const expired = await given.key(cloud, { expired: true });

    expect(await failureOf(personWith('ld_wrong'), 'tree')).toMatch(/unauthenticated[^]*"landlord login"/);
    expect(await failureOf(personWith(expired), 'tree')).toMatch(/expired[^]*"landlord login"/);
    expect(await failureOf(personWith('ld_k', 'http://127.0.0.1:9'), 'tree')).toMatch(
      /ECONNREFUSED[^]*A person must check that the installation runs/,
    );
    const lacking = await given.key(cloud, { permissions: { tenant: ['deployment:read'] } });
    expect(await failureOf(personWith(lacking), 'usage')).toMatch(/billing:read[^]*another key/);
  });

  it('offers no tool that changes things while the rights of the key are unknown', async () => {
    const session = await McpSession.open(personWith('ld_k', 'http://127.0.0.1:9'), '--allow-writes');

    expect(await session.names()).not.toContain('create_starter');
    await expect(session.call('create_starter')).rejects.toThrow(/is not offered/);
    expect(session.stderr).toContain('no tool that changes things is offered');
    await session.close();
  });

  it('does not start without a key, or with an unknown group of tools', async () => {
    expect(await new CommandLine().run('mcp')).toMatchObject({ code: 3, stdout: '' });
    const { code, stderr } = await CommandLine.for(cloud).run('mcp', '--allow-writes=everything');
    expect([code, stderr]).toEqual([2, expect.stringContaining('of deployments, access, config, backups')]);
  });

  it('ends with stdin, also while a call waits for an answer', async () => {
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const asked = new Promise<string>((resolve) =>
      silent.on('request', ({ url }) => url?.includes('/audit') && resolve(url)),
    );
    const { port } = silent.address() as AddressInfo;
    const child = personWith(cloud.key, `http://127.0.0.1:${port}`).start('mcp');
    child.stdin?.write(lines(HELLO, { method: 'notifications/initialized' }));
    child.stdin?.write(lines({ id: 2, method: 'tools/call', params: { name: 'audit', arguments: {} } }));
    await asked;
    child.stdin?.end();

    // The request waits for 30 seconds, which the end of the process does not.
    const late = setTimeout(() => child.kill('SIGKILL'), 10_000);
    const { code, stdout, stderr } = await child.ended;
    clearTimeout(late);
    silent.closeAllConnections();
    silent.close();
    expect([stderr, code]).toEqual([stderr, 0]);
    expect(stdout.trim().split('\n')).toHaveLength(1);
    expect(stderr).not.toMatch(/Error|\n\s+at /);
  });

  it('writes nothing but the protocol on stdout, and ends with stdin', async () => {
    const child = CommandLine.for(cloud).start('mcp');
    child.stdin?.write(lines(HELLO));
    await new Promise((resolve) => child.stdout?.once('data', resolve));
    child.stdin?.write('this is no JSON\n');
    child.stdin?.write(lines({ method: 'notifications/initialized' }, { id: 2, method: 'tools/call', params: {} }));
    child.stdin?.write(lines({ id: 3, method: 'tools/call', params: { name: 'tree', arguments: { depth: 1 } } }));
    child.stdin?.write(lines({ id: 4, method: 'no/such', params: {} }, { id: 5, method: 'ping' }));
    await new Promise<void>((resolve) => {
      let seen = '';
      child.stdout?.on('data', (chunk: Buffer) => {
        seen += chunk.toString();
        if ([2, 3, 4, 5].every((id) => seen.includes(`"id":${id}`))) resolve();
      });
    });
    child.stdin?.end();

    const { code, stdout } = await child.ended;
    expect(code).toBe(0);
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { jsonrpc: string; id?: number });
    expect(answers.every(({ jsonrpc }) => jsonrpc === '2.0')).toBe(true);
    expect(answers.map(({ id }) => id).sort()).toEqual([1, 2, 3, 4, 5]);
  });
});
