import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { testAuthority, TestCloud } from '@libs/testing';
import { CommandLine } from './command-line.js';
import { HttpProxy } from './http-proxy.js';

const BROKEN_PROXY = 'http://127.0.0.1:9';

describe('The command line on the way to the API', () => {
  let cloud: TestCloud;
  let proxy: HttpProxy;
  const servers: (Server | TlsServer)[] = [];
  beforeAll(async () => {
    [cloud, proxy] = await Promise.all([TestCloud.borrow(), HttpProxy.start()]);
  });
  afterAll(async () => {
    for (const server of servers) server.close();
    await proxy.stop();
    await cloud.stop();
  });
  const person = (url: string, env: Record<string, string> = {}): CommandLine =>
    new CommandLine({ LANDLORD_URL: url, LANDLORD_API_KEY: cloud.key, LANDLORD_TENANT_ID: tenant(), ...env });
  const tenant = (): string => String(cloud.installation.tenant_id);
  const list = (one: CommandLine) => one.run('divisions', 'list', '-o', 'name');

  /** Sends requests to the main API, and changes the answers. */
  const forward =
    (headers: Record<string, string> = {}) =>
    (asked: IncomingMessage, answer: ServerResponse): void => {
      const { url, method } = asked;
      const call = request(`${cloud.mainApi.url}${url}`, { method, headers: asked.headers }, (received) => {
        answer.writeHead(received.statusCode ?? 502, { ...received.headers, ...headers });
        received.pipe(answer);
      });
      asked.pipe(call);
    };
  async function listening<S extends Server | TlsServer>(server: S): Promise<number> {
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  }

  it('uses the proxy of the environment, but not for hosts that the environment excludes', async () => {
    const { url } = cloud.mainApi;
    expect(await list(person(url, { http_proxy: proxy.url }))).toMatchObject({ code: 0, stdout: 'Default\n' });
    expect(proxy.asked.splice(0)).toEqual([`GET ${url}/tenants/${tenant()}/divisions?page=1`]);

    expect((await list(person(url, { HTTP_PROXY: BROKEN_PROXY, NO_PROXY: '127.0.0.1' }))).code).toBe(0);
    expect(await list(person(url, { http_proxy: BROKEN_PROXY }))).toMatchObject({
      code: 9,
      stderr: expect.stringContaining('ECONNREFUSED') as string,
    });
    expect(proxy.asked).toEqual([]);
  });

  it('trusts a certificate of its own authority only if the person says so, also through a proxy', async () => {
    const { cert, key, caFile } = await testAuthority();
    const port = await listening(createTlsServer({ cert, key }, forward()));
    const url = `https://localhost:${port}`;

    expect(await list(person(url))).toMatchObject({
      code: 9,
      stdout: '',
      stderr: expect.stringContaining('try: trust the certificate: landlord login --ca-file <file>') as string,
    });
    const trusting = person(url, { LANDLORD_CA_FILE: caFile, https_proxy: proxy.url });
    expect(await list(trusting)).toMatchObject({ code: 0, stdout: 'Default\n', stderr: '' });
    expect(proxy.asked.splice(0)).toEqual([`CONNECT localhost:${port}`]);
  });

  it('works with another release, and says so when something fails', async () => {
    const port = await listening(createServer(forward({ 'ld-version': '9.4.0' })));
    const old = person(`http://127.0.0.1:${port}`);

    expect(await list(old)).toMatchObject({ code: 0, stdout: 'Default\n', stderr: '' });
    const failed = await old.run('divisions', 'create', '--name', ' ');
    expect(failed.code).toBe(5);
    expect(failed.stderr).toMatch(/runs Landlord 9\.4\.0, and this command line is \d+\.\d+\.\d+/);
    const same = await person(cloud.mainApi.url).run('divisions', 'create', '--name', ' ');
    expect(same.code).toBe(5);
    expect(same.stderr).not.toContain('runs Landlord');
  });

  it('takes the time of the installation, and says that the own clock is wrong when something fails', async () => {
    const hours = (count: number): number => Date.now() + count * 3_600_000;
    const port = await listening(createServer(forward({ date: new Date(hours(3)).toUTCString() })));
    const late = person(`http://127.0.0.1:${port}`);
    const created = await late.run('deployments', 'create', '--starter', '--name', 'late', '--wait');
    expect(created).toMatchObject({ code: 0, stderr: expect.not.stringContaining('clock') as string });

    await late.json('rules', 'add', '203.0.113.0/24', '-d', 'late', '--for', '1');
    const rules = await late.json<{ valid_to: string | null }[]>('rules', 'list', '-d', 'late');
    const ends = rules.flatMap(({ valid_to }) => (valid_to === null ? [] : [Date.parse(valid_to)]));
    expect(ends).toHaveLength(1);
    expect(Math.abs((ends[0] ?? 0) - hours(4))).toBeLessThan(120_000);
    expect((await late.run('divisions', 'get', 'nowhere')).stderr).toMatch(/180 minutes behind the clock/);
    expect((await late.run('deployments', 'delete', 'late', '--yes', '--wait')).code).toBe(0);
  });

  it('adds the address of the person to a rule', async () => {
    const landlord = person(cloud.mainApi.url);
    const created = await landlord.run('deployments', 'create', '--starter', '--name', 'mine', '--wait');
    expect([created.stderr, created.code]).toEqual([created.stderr, 0]);

    await landlord.json('rules', 'add', '--my-ip', '-d', 'mine');
    const rules = await landlord.json<{ cidr_blocks: string[] }[]>('rules', 'list', '-d', 'mine');
    expect(rules.map(({ cidr_blocks }) => cidr_blocks)).toContainEqual(['127.0.0.1/32']);
    expect((await landlord.run('rules', 'add', '-d', 'mine')).code).toBe(2);
    expect((await landlord.run('deployments', 'delete', 'mine', '--yes', '--wait')).code).toBe(0);
  });
});
