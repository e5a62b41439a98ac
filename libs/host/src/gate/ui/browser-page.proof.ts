import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWithBrowser, openBrowser } from '@libs/testing';
import type { Browser, Page } from 'playwright-core';
import { aNodeSpec, BrokerUnderTest, PASSWORD, until } from '../../../test/brokers/embedded.fixture.js';
import { PagePerson } from '../../../test/brokers/page-person.fixture.js';

const HOSTILE = '<img src=x onerror="document.title=1">';
const REVERSED = 'a\u202egpj.exe\u200b';
const MIB = 1024 * 1024;

/** The page in a real browser. PAGE_PICTURES is a folder for pictures of it. */
describeWithBrowser('The page of a broker in a browser', () => {
  let browser: Browser;
  let broker: BrokerUnderTest;
  let pictures: string;
  const errors: string[] = [];
  const requested: string[] = [];
  const requests: string[] = [];

  beforeAll(async () => {
    [browser, broker] = await Promise.all([openBrowser(), BrokerUnderTest.of(await aNodeSpec())]);
    await broker.start();
    pictures = process.env['PAGE_PICTURES'] ?? (await mkdtemp(join(tmpdir(), 'landlord-page-')));
  });
  afterAll(async () => {
    await browser?.close();
    await broker?.destroy();
    if (!process.env['PAGE_PICTURES']) await rm(pictures, { recursive: true, force: true });
  });

  async function open(width: number, colorScheme: 'light' | 'dark'): Promise<Page> {
    const context = await browser.newContext({ viewport: { width, height: 844 }, colorScheme });
    const page = await context.newPage();
    page.on('pageerror', (error) => errors.push(String(error)));
    page.on('console', (message) => {
      // The page asks whether a session exists, and the browser reports the answer 401.
      if (message.type() === 'error' && !message.text().includes('401')) errors.push(message.text());
    });
    page.on('dialog', (dialog) => {
      requests.push(dialog.message());
      void dialog.accept();
    });
    page.on('request', (request) => requested.push(request.url()));
    await page.goto(`${broker.url('http')}/`);
    await page.waitForSelector('html[data-ready=true]');
    return page;
  }

  async function signIn(page: Page): Promise<void> {
    await page.fill('[name=username]', 'admin');
    await page.fill('[name=password]', PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForSelector('#app:not([hidden])');
  }

  const show = async (page: Page, view: string): Promise<void> => {
    await page.click(`nav a[href="#${view}"]`);
    await page.waitForSelector(view === 'messages' ? '#connection.ok' : `#${view} table`);
  };

  it.each([
    [1280, 'light'],
    [390, 'light'],
    [390, 'dark'],
    [1280, 'dark'],
  ] as const)('shows hostile topics, client ids and payloads as text, %i pixels wide and %s', async (width, scheme) => {
    const client = await broker.client({ clientId: `${HOSTILE}${width}${scheme}` });
    await client.publishAsync(HOSTILE, HOSTILE, { qos: 1, retain: true });
    await client.publishAsync(REVERSED, Buffer.from([0, 1, 0xff, 0x0a]), { qos: 1, retain: true });
    await client.publishAsync(`long/${'x'.repeat(300)}`, 'y'.repeat(9_000), { qos: 1, retain: true });
    await client.publishAsync('plant/line-1/temperature', '{"value": 21.5, "unit": "°C"}', { qos: 1, retain: true });
    const page = await open(width, scheme);
    const overflow: Record<string, unknown> = {};
    const picture = async (name: string): Promise<void> => {
      await page.screenshot({ path: join(pictures, `${width}-${scheme}-${name}.png`) });
      overflow[name] = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    };
    await picture('sign-in');
    await signIn(page);
    for (const view of ['topics', 'retained', 'clients', 'messages']) {
      await show(page, view);
      await picture(view);
    }
    await page.click('#subscribe-form button[type=submit]');
    await page.fill('#publish-form [name=topic]', HOSTILE);
    await page.fill('#publish-form [name=payload]', HOSTILE);
    await page.click('#publish-form button[type=submit]');
    await page.waitForSelector('#received li:nth-child(5)');
    await picture('received');

    expect(Object.values(overflow)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(await page.locator('#received li').first().innerText()).toContain(HOSTILE);
    expect(await page.locator('#received').innerText()).toContain('aU+202Egpj.exeU+200B');
    for (const view of ['topics', 'retained', 'clients']) {
      await show(page, view);
      expect(await page.locator(`#${view} table`).innerText()).toContain('<img src=x onerror=');
    }
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.title()).toBe('Deployment 1: broker');
    expect(errors).toEqual([]);
    expect(requested.filter((url) => !url.startsWith(broker.url('http')) && !url.startsWith('data:'))).toEqual([]);
    await page.context().close();
    await client.endAsync();
  });

  it('signs in, disconnects a client, watches a topic, and returns to the sign-in when the session ends', async () => {
    const client = await broker.client({ clientId: 'to be cut\u202e', reconnectPeriod: 0 });
    await client.publishAsync('watched', 'x', { qos: 1 });
    const cut = new Promise((resolve) => client.once('close', () => resolve(null)));
    const page = await open(1280, 'light');
    await page.fill('[name=username]', 'admin');
    await page.fill('[name=password]', 'wrong');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#sign-in [role=alert]:not([hidden])');
    expect(await page.locator('#sign-in [role=alert]').innerText()).toBe('The user name or the password is wrong.');
    await signIn(page);

    await show(page, 'clients');
    await page.locator('#clients tr', { hasText: 'to be cut' }).getByRole('button').click();
    await cut;
    expect(requests).toEqual(['Disconnect "to be cutU+202E"? A client that reconnects automatically returns.']);
    await show(page, 'topics');
    await page.fill('#topics [type=search]', 'watched');
    await page.keyboard.press('Enter');
    await page.locator('#topics tr', { hasText: 'watched' }).getByRole('button').click();
    await page.waitForSelector('#subscriptions li');
    await page.fill('#publish-form [name=payload]', 'hello');
    await page.click('#publish-form button[type=submit]');
    await page.waitForSelector('#received li');
    expect(await page.locator('#received li').first().innerText()).toMatch(/^watched[\s\S]*hello$/);

    await page.evaluate(`fetch('/ui/session', { method: 'DELETE', headers: { 'landlord-page': '1' } })`);
    await page.waitForSelector('#sign-in:not([hidden])');
    expect(await page.locator('#sign-in [role=alert]').innerText()).toBe('The session has ended. Sign in again.');
    expect(await page.locator('#received li').count()).toBe(0);
    await page.context().close();
  });
});

describe('A client that sends its request slowly', () => {
  it.each(['http', 'websocket'] as const)('over %s is disconnected after some seconds', async (protocol) => {
    const broker = await BrokerUnderTest.of(await aNodeSpec());
    await broker.start();
    const socket = connect(broker.spec.listen.ports[protocol] ?? 0, '127.0.0.1');
    const closed = new Promise<number>((resolve) => socket.once('close', () => resolve(performance.now())));
    const start = performance.now();
    socket.on('error', () => undefined).write('GET /ping HTTP/1.1\r\nhost: ');
    const timer = setInterval(() => socket.write('x'), 500);

    const tookMs = (await closed) - start;

    clearInterval(timer);
    expect(tookMs).toBeGreaterThan(8_000);
    expect(tookMs).toBeLessThan(20_000);
    await broker.destroy();
  });
});

describe('A page that does not read', () => {
  it('gets a part of the messages, is disconnected, and costs the node little memory', async () => {
    const broker = await BrokerUnderTest.of(await aNodeSpec());
    await broker.start();
    try {
      const person = new PagePerson(broker);
      await person.signIn();
      const page = await person.ready();
      await page.ask({ do: 'subscribe', topic: '#' });
      const memory = async (): Promise<number> => (await broker.runtime.stats(broker.home))['memory_bytes'] ?? 0;
      const writer = await broker.client();
      const payload = 'x'.repeat(16 * 1024);
      const flood = async (): Promise<void> => {
        for (let index = 0; index < 50; index += 1) await writer.publishAsync('flood', payload);
      };
      // The heap of the process grows under load, also with a page that reads.
      const warm = Date.now() + 5_000;
      while (Date.now() < warm) await flood();
      const before = await memory();

      page.socket.pause();
      let [most, floods] = [0, 0];
      await until(
        'the node has disconnected the page',
        async () => {
          await flood();
          floods += 1;
          most = Math.max(most, await memory());
          const { items } = (await person.get('/ui/clients')).body;
          return items.every(({ protocol }) => protocol !== 'browser');
        },
        120_000,
      );

      expect(floods * 50 * payload.length).toBeGreaterThan(256 * MIB);
      expect(most - before).toBeLessThan(48 * MIB);
      await writer.publishAsync('still', 'here', { qos: 1 });
      person.leave();
      await writer.endAsync();
    } finally {
      await broker.destroy();
    }
  });

  it('and reads slowly gets the number of skipped messages', async () => {
    const broker = await BrokerUnderTest.of(await aNodeSpec());
    await broker.start();
    try {
      const person = new PagePerson(broker);
      await person.signIn();
      const page = await person.ready();
      await page.ask({ do: 'subscribe', topic: '#' });
      const writer = await broker.client();

      for (let index = 0; index < 1_000; index += 1) await writer.publishAsync('flood', String(index));

      const skipped = await until('skipped messages', () => page.inbox.find(({ type }) => type === 'skipped'));
      expect((skipped.messages ?? 0) + page.messages.length).toBeGreaterThan(500);
      expect(page.messages.length).toBeLessThan(900);
      person.leave();
      await writer.endAsync();
    } finally {
      await broker.destroy();
    }
  });
});
