import { describeWithBrowser, openBrowser, TestCloud } from '@libs/testing';
import type { Browser } from 'playwright-core';
import { expectClean, signInMember } from '../console/browser/person-in-browser.js';

/** The documents of the installation, as a person reads them without the network. */
describeWithBrowser('The guides of an installation', () => {
  let cloud: TestCloud;
  let browser: Browser;
  beforeAll(async () => {
    [cloud, browser] = await Promise.all([TestCloud.borrow(), openBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await cloud?.stop();
  });

  it.each([{ isDark: false }, { isDark: true, width: 390 }])(
    'open from the console, with the look %j',
    async (look) => {
      const path = `/t/${cloud.installation.tenant_id}`;
      const { tab, page } = await signInMember(cloud, browser, { roles: ['viewer'], path, look });
      await page.getByRole('link', { name: 'Guides', exact: true }).click();
      await page.getByRole('heading', { name: 'Guides', level: 1 }).waitFor();
      await expectClean(tab);
      await page.getByRole('main').getByRole('link', { name: 'Deployments', exact: true }).click();
      await page.getByRole('heading', { name: 'Deployments', level: 1 }).waitFor();

      await expectClean(tab);
      const color = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
      expect(color).toBe(look.isDark ? 'rgb(20, 23, 27)' : 'rgb(255, 255, 255)');
      await tab.close();
    },
  );

  it('have no link and no anchor that leads nowhere', async () => {
    const texts = new Map<string, string>();
    const broken: string[] = [];
    const textOf = async (path: string): Promise<string> => {
      const text = texts.get(path) ?? (await (await fetch(`${cloud.mainApi.url}${path}`)).text());
      texts.set(path, text);
      return text;
    };
    await textOf('/guides/');
    // The loop also visits the pages that it adds.
    for (const [path, text] of texts)
      for (const [, href = ''] of text.matchAll(/<a [^>]*href="([^"]+)"/g)) {
        const { pathname, hash } = new URL(href, `http://guides${path}`);
        if (/^[a-z]+:/.test(href) || !pathname.startsWith('/guides')) continue;
        const linked = await textOf(pathname);
        const isThere = linked.startsWith('<!doctype') && (hash === '' || linked.includes(`id="${hash.slice(1)}"`));
        if (!isThere) broken.push(`${path}: ${href}`);
      }

    expect(texts.size).toBeGreaterThan(40);
    expect(broken).toEqual([]);
    expect([...texts.values()].join('')).not.toMatch(/(src|href)="https?:[^"]*\.(js|css|png|svg)"/);
  });
});
