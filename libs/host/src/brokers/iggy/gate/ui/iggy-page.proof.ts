import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWithBrowser, IGGY_SERVER, IggyHttp, numbered, openBrowser, skippedSuite } from '@libs/testing';
import type { Browser, Page } from 'playwright-core';
import { PASSWORD, type BrokerUnderTest } from '../../../../../test/brokers/embedded.fixture.js';
import { anIggyNode } from '../../../../../test/brokers/iggy.fixture.js';

const HOSTILE = '<img src=x onerror="document.title=1">';
const suite =
  IGGY_SERVER === null ? skippedSuite('iggy-server 0.8 is missing', 'Set IGGY_SERVER_BIN') : describeWithBrowser;

/** The page of a node with iggy in a real browser. PAGE_PICTURES is a folder for pictures of it. */
suite('The page of a node with iggy in a browser', () => {
  let browser: Browser;
  let node: BrokerUnderTest;
  let client: IggyHttp;
  let pictures: string;
  const errors: string[] = [];
  const requested: string[] = [];

  beforeAll(async () => {
    [browser, node] = await Promise.all([openBrowser(), anIggyNode()]);
    await node.start();
    pictures = process.env['PAGE_PICTURES'] ?? (await mkdtemp(join(tmpdir(), 'landlord-page-')));
    client = await IggyHttp.signIn(node.spec.listen.ports.http);
    for (const name of ['orders', 'payments', HOSTILE]) await client.createTopic(name);
    await client.send('orders', numbered(40));
    await client.send(HOSTILE, [HOSTILE, '{"value": 21.5, "unit": "°C"}', 'y'.repeat(9_000)]);
  });
  afterAll(async () => {
    await browser?.close();
    await node?.destroy();
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
    page.on('request', (request) => requested.push(request.url()));
    await page.goto(`${node.url('http')}/`);
    await page.waitForSelector('html[data-ready=true]');
    await page.fill('[name=username]', 'admin');
    await page.fill('[name=password]', PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForSelector('#list table');
    return page;
  }

  const follow = async (page: Page, name: string, until: string): Promise<void> => {
    await page.locator('#list tbody a', { hasText: name }).click();
    await page.waitForSelector(until);
  };

  it.each([
    [1280, 'light'],
    [390, 'dark'],
  ] as const)('shows hostile names and payloads as text, %i pixels wide and %s', async (width, scheme) => {
    const page = await open(width, scheme);
    const overflow: unknown[] = [];
    const picture = async (name: string): Promise<void> => {
      await page.screenshot({ path: join(pictures, `iggy-${width}-${scheme}-${name}.png`) });
      overflow.push(await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
    };
    await picture('streams');
    await follow(page, HOSTILE, '#list-title:text("Topics")');
    await page.waitForSelector('#place li:nth-child(2)');
    await picture('topics');
    await follow(page, HOSTILE, '#messages table');
    await picture('messages');

    expect(await page.locator('#messages table').innerText()).toContain(HOSTILE);
    expect(await page.locator('#place').innerText()).toContain(HOSTILE);
    expect(overflow).toEqual([0, 0, 0]);
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.title()).toBe('Deployment 1: broker');
    expect(errors).toEqual([]);
    expect(requested.filter((url) => !url.startsWith(node.url('http')) && !url.startsWith('data:'))).toEqual([]);
    await page.context().close();
  });

  it('reads from an offset, sends a message, and returns to the sign-in when the session ends', async () => {
    const page = await open(1280, 'light');
    await follow(page, 'orders', '#place li:nth-child(2)');
    await follow(page, 'orders', '#messages table');
    expect(await page.locator('#messages-note').innerText()).toMatch(/^20 messages .*The last offset is 39\.$/);
    await page.fill('#read-form [name=offset]', '5');
    await page.click('#read-form button');
    await page.locator('#messages tbody tr:first-child', { hasText: 'message 5' }).waitFor();
    await page.fill('#read-form [name=offset]', '');
    await page.fill('#send-form textarea', 'sent by a person');
    await page.click('#send-form button');
    await page.locator('#messages tbody tr:first-child', { hasText: 'sent by a person' }).waitFor();
    expect((await client.poll('orders')).at(-1)).toBe('sent by a person');

    await page.evaluate(`fetch('/ui/session', { method: 'DELETE', headers: { 'landlord-page': '1' } })`);
    await page.click('#read-form button');
    await page.waitForSelector('#sign-in:not([hidden])');
    expect(await page.locator('#messages-rows').innerHTML()).toBe('');
    await page.context().close();
  });
});
