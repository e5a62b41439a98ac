import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describeWithBrowser, eventually, given, openBrowser, TestCloud, type Person } from '@libs/testing';
import type { Browser } from 'playwright-core';
import { signIn, userWithPassword } from '../console/browser/person-in-browser.js';
import { CommandLine } from './command-line.js';

const CONTEXTS = '.config/landlord/contexts.json';
/** The program that opens pages on desktops with Linux. Here it writes the address to a file, and the test is the browser. */
const OPENER = '#!/bin/sh\nprintf %s "$1" > "$HOME/opened"\n';

/** A command line on a computer with a desktop. */
class Desk extends CommandLine {
  constructor() {
    super();
    const opener = join(this.home, 'xdg-open');
    writeFileSync(opener, OPENER);
    chmodSync(opener, 0o755);
  }

  override get environment(): Record<string, string> {
    return { ...super.environment, PATH: `${this.home}:${process.env['PATH'] ?? ''}` };
  }

  /** Starts a login, and returns the page that it opens. */
  async startLogin(cloud: TestCloud, ...words: string[]) {
    const opened = join(this.home, 'opened');
    writeFileSync(opened, '');
    const login = this.start('login', '--browser', '--url', cloud.mainApi.url, ...words);
    const page = await eventually('the login opens a page', async () => readFileSync(opened, 'utf8'));
    return { login, page: new URL(page) };
  }

  contexts(): Record<string, { api_key?: string; api_key_id?: number }> {
    const file = join(this.home, CONTEXTS);
    if (!existsSync(file)) return {};
    return (JSON.parse(readFileSync(file, 'utf8')) as { contexts: Record<string, object> }).contexts;
  }
}

const got = async (url: string) => {
  const response = await fetch(url);
  return { status: response.status, text: await response.text() };
};

describe('A login by browser', () => {
  let cloud: TestCloud;
  let person: Person;
  beforeAll(async () => {
    cloud = await TestCloud.borrow();
    person = await given.person(cloud, { email: `ann-${Date.now()}@people.example`, member: { roles: ['admin'] } });
  });
  afterAll(() => cloud.stop());

  const keyPath = (id?: number): string => `${cloud.tenant}/api_keys/${id}`;
  /** What the page does when the person creates the key. */
  const createKey = async ({ searchParams }: URL) => {
    const { status, body } = await person.post(`${cloud.tenant}/login_codes`, Object.fromEntries(searchParams));
    expect([JSON.stringify(body), status]).toEqual([JSON.stringify(body), 201]);
    return body as { redirect_to: string; api_key_id: number };
  };
  /** Logs in to the end. Returns the id of the key. */
  async function loggedIn(desk: Desk, ...words: string[]): Promise<number> {
    const { login, page } = await desk.startLogin(cloud, ...words);
    const { redirect_to, api_key_id } = await createKey(page);
    expect((await got(redirect_to)).text).toContain('You are signed in.');
    const { code, stderr } = await login.ended;
    expect([stderr, code]).toEqual([stderr, 0]);
    return api_key_id;
  }

  it('stores a new key with a name and an end, and a logout deletes this key', async () => {
    const desk = new Desk();

    const { login, page } = await desk.startLogin(cloud);
    const { redirect_to, api_key_id } = await createKey(page);
    const shown = await got(redirect_to);
    const { code, stdout, stderr } = await login.ended;

    expect(page.origin + page.pathname).toBe(`${cloud.mainApi.url}/console/command-line`);
    expect([shown.status, code, stdout]).toEqual([200, 0, '']);
    expect(stderr).toContain(page.href);
    const { api_key = '', ...kept } = desk.contexts()['default'] ?? {};
    expect(kept).toMatchObject({ api_key_id, url: cloud.mainApi.url, tenant_id: cloud.installation.tenant_id });
    expect(stderr + shown.text + redirect_to).not.toContain(api_key);
    expect(statSync(join(desk.home, CONTEXTS)).mode & 0o777).toBe(0o600);
    const { name, user_id } = await desk.json('keys', 'get', String(api_key_id));
    expect({ name, user_id }).toEqual({ name: `landlord on ${hostname()}`, user_id: person.id });

    const out = await desk.run('logout');

    expect([out.code, desk.contexts()]).toEqual([0, {}]);
    expect((await person.get(keyPath(api_key_id))).status).toBe(404);
    expect(await cloud.main(api_key).get(cloud.tenant)).toBeProblem('unauthenticated');
  });

  it('refuses requests to its port that are not from its page, and goes on waiting', async () => {
    const { login, page } = await new Desk().startLogin(cloud);
    const port = page.searchParams.get('redirect_uri') ?? '';
    const { redirect_to } = await createKey(page);
    const stolen = new URL(redirect_to);
    stolen.searchParams.set('state', 'of another program');

    const answers = [
      ...[await got(port), await got(`${port}favicon.ico`), await got(stolen.href)],
      await got(`${port}?state=${page.searchParams.get('state')}`),
    ];
    const right = await got(redirect_to);

    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
    expect(right).toMatchObject({ status: 200, text: expect.stringContaining('You are signed in.') });
    expect((await login.ended).code).toBe(0);
  });

  it('fails with the reason, in the browser and on the terminal, when the code is too old', async () => {
    const desk = new Desk();
    const { login, page } = await desk.startLogin(cloud);
    const { redirect_to, api_key_id } = await createKey(page);
    await cloud.rows(`update login_codes set expires_at = now() where api_key_id = $1`, [api_key_id]);

    const { text } = await got(redirect_to);
    const { code, stderr } = await login.ended;

    expect(text).toContain('The login failed.');
    expect([code, desk.contexts()]).toEqual([5, {}]);
    expect(stderr).toContain('login_code_invalid');
  });

  it('works without a program that opens pages, by the address on the terminal', async () => {
    const line = new CommandLine({ PATH: '/nowhere' });
    const login = line.start('login', '--browser', '--url', cloud.mainApi.url);
    let shown = '';
    login.stderr?.on('data', (chunk: Buffer) => (shown += chunk.toString()));

    const page = await eventually('the address is shown', async () => /http:\S+code_challenge\S+/.exec(shown)?.[0]);
    const { redirect_to } = await createKey(new URL(page));
    await got(redirect_to);

    expect((await login.ended).code).toBe(0);
  });

  it('deletes the key of the context that it replaces, and of no other', async () => {
    const desk = new Desk();
    const [first, other] = [await loggedIn(desk), await loggedIn(desk, '--name', 'other')];

    const second = await loggedIn(desk);

    const statuses = [first, other, second].map(async (id) => (await person.get(keyPath(id))).status);
    expect(await Promise.all(statuses)).toEqual([404, 200, 200]);
    expect(desk.contexts()).toMatchObject({ default: { api_key_id: second }, other: { api_key_id: other } });
  });

  it('keeps the context when a logout cannot delete the key, and says how to go on', async () => {
    const desk = new Desk();
    await loggedIn(desk);
    await desk.run('context', 'set', 'url', 'http://127.0.0.1:9');

    const out = await desk.run('logout');

    expect([out.code, Object.keys(desk.contexts())]).toEqual([9, ['default']]);
    expect(out.stderr).toContain('landlord logout --keep-key');
    expect((await desk.run('logout', '--keep-key')).code).toBe(0);
    expect(desk.contexts()).toEqual({});
  });

  it('keeps the old context with its key, and no new key, when the new context cannot be stored', async () => {
    const desk = new Desk();
    const old = await loggedIn(desk);
    const before = desk.contexts();
    const { login, page } = await desk.startLogin(cloud);
    // The command line writes the new contexts to a file with this name first.
    mkdirSync(join(desk.home, `${CONTEXTS}.${login.pid}`));

    const { redirect_to, api_key_id } = await createKey(page);
    await got(redirect_to);

    expect((await login.ended).code).not.toBe(0);
    expect(desk.contexts()).toEqual(before);
    expect((await person.get(keyPath(old))).status).toBe(200);
    expect((await person.get(keyPath(api_key_id))).status).toBe(404);
  });

  it('keeps a key that is typed again for the same context, and still deletes it at the logout', async () => {
    const desk = new Desk();
    const id = await loggedIn(desk);
    const file = join(desk.home, 'key');
    writeFileSync(file, desk.contexts()['default']?.api_key ?? '');

    const again = await desk.run('login', '--url', cloud.mainApi.url, '--key-file', file);

    expect([again.stderr, again.code]).toEqual([again.stderr, 0]);
    expect((await person.get(keyPath(id))).status).toBe(200);
    expect((await desk.run('logout')).code).toBe(0);
    expect((await person.get(keyPath(id))).status).toBe(404);
  });

  it.each([
    ['no server', 'http://127.0.0.1:9', 9, 'does not answer'],
    ['no address', 'not an address', 2, 'not an address'],
  ])('fails at once, and opens no page: %s', async (_, url, exit, text) => {
    const out = await new Desk().run('login', '--browser', '--url', url);

    expect([out.code, out.stderr]).toEqual([exit, expect.stringContaining(text)]);
    expect(out.stderr).not.toMatch(/console\/command-line|\n {4}at /);
  });

  it.each([
    [404, 4, 'landlord login --key-file'],
    [502, 9, 'answered 502'],
  ])('fails at once when the server answers %i for the page', async (status, exit, text) => {
    const server = createServer((_, response) => response.writeHead(status).end());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    try {
      const out = await new Desk().run('login', '--browser', '--url', `http://127.0.0.1:${port}`);

      expect([out.code, out.stderr]).toEqual([exit, expect.stringContaining(text)]);
    } finally {
      server.close();
    }
  });

  it('forgets a context whose key is deleted already', async () => {
    const desk = new Desk();
    const id = await loggedIn(desk);
    expect((await person.delete(keyPath(id))).status).toBe(204);

    expect((await desk.run('logout')).code).toBe(0);

    expect(desk.contexts()).toEqual({});
  });

  it('leaves no context and no open port after Ctrl-C', async () => {
    const desk = new Desk();
    const { login, page } = await desk.startLogin(cloud);

    login.kill('SIGINT');
    await login.ended;

    await expect(got(page.searchParams.get('redirect_uri') ?? '')).rejects.toThrow('fetch failed');
    expect(desk.contexts()).toEqual({});
  });
});

/** The same login in a browser, with the keyboard only. */
describeWithBrowser('The page of a login', () => {
  let cloud: TestCloud;
  let browser: Browser;
  beforeAll(async () => {
    [cloud, browser] = await Promise.all([TestCloud.borrow(), openBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await cloud?.stop();
  });

  async function opened(page: URL) {
    const tab = await (await browser.newContext()).newPage();
    await tab.goto(page.href);
    return tab;
  }

  it('signs a person in, and creates the key in the organization that the person chooses', async () => {
    const email = `bob-${Date.now()}@people.example`;
    const { id } = await userWithPassword(cloud, { email });
    const { tenantId } = await given.tenant(cloud);
    await given.membership(cloud, id, { roles: ['viewer'] });
    await given.membership(cloud, id, { tenantId, roles: ['admin'] });
    const desk = new Desk();
    const { login, page } = await desk.startLogin(cloud);

    const tab = await opened(page);
    await signIn(tab, email);
    const choice = tab.getByLabel('Organization', { exact: true });
    const button = tab.getByRole('button', { name: 'Create the key' });
    // The viewer of the first organization may not create keys.
    await choice.selectOption({ value: String(cloud.installation.tenant_id) });
    await tab.getByText('You need the permission api_key:manage here.').waitFor();
    await button.press('Enter');
    await choice.selectOption({ value: String(tenantId) });
    await tab.getByText('You need the permission').waitFor({ state: 'detached' });
    await button.press('Enter');
    await tab.waitForURL('http://127.0.0.1:*/**');

    await eventually('the page tells it', async () => (await tab.textContent('body'))?.includes('You are signed in.'));
    expect((await login.ended).code).toBe(0);
    expect(desk.contexts()['default']).toMatchObject({ tenant_id: tenantId });
  });

  it('shows the name of the command line as text, and offers nothing before the person is signed in', async () => {
    // Command lines of older releases open this address.
    const page = new URL('/pages/command_line', cloud.mainApi.url);
    const request = { name: '<img src=x onerror=alert(1)>', state: '"><script>', redirect_uri: 'http://127.0.0.1:9/' };
    page.search = new URLSearchParams({ ...request, code_challenge: 'none' }).toString();
    const { id, email } = await userWithPassword(cloud, { email: `eve-${Date.now()}@people.example` });
    await given.membership(cloud, id, { roles: ['admin'] });

    const tab = await opened(page);

    await tab.getByLabel('Password').waitFor();
    expect(await tab.getByRole('button', { name: 'Create the key' }).count()).toBe(0);
    await signIn(tab, email);
    await tab.getByRole('button', { name: 'Create the key' }).waitFor();
    expect(await tab.locator('strong').first().textContent()).toBe(request.name);
    expect(await tab.locator('img').count()).toBe(0);
    const sent = tab.waitForRequest((one) => one.url().endsWith('/login_codes'));
    await tab.getByRole('button', { name: 'Create the key' }).press('Enter');
    expect((await sent).postDataJSON()).toEqual({ ...request, code_challenge: 'none' });
    await tab.getByRole('alert').filter({ hasText: 'The request is not valid' }).waitFor();
    expect(new URL(tab.url()).origin).toBe(cloud.mainApi.url);
  });
});
