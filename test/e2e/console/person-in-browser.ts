import { hashPassword } from '@libs/domain';
import { given, type TestCloud } from '@libs/testing';
import type { Browser, Page } from 'playwright-core';
import { WatchedTab } from './watched-tab.js';

export const PASSWORD = 'a long enough phrase';

/** A user who signs in with `PASSWORD`. */
export async function userWithPassword(cloud: TestCloud, requested: Parameters<typeof given.user>[1]) {
  const { id } = await given.user(cloud, requested);
  await cloud.rows('update users set password_hash = $2 where id = $1', [id, await hashPassword(PASSWORD)]);
  return { id, email: requested.email };
}

/** Types a login into the page that is open, and sends it. */
export async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Opens a page of the console in a browser of its own. */
export async function openTab(browser: Browser, cloud: TestCloud, path: string, look = {}): Promise<WatchedTab> {
  const tab = await WatchedTab.open(browser, [cloud.mainApi.url, cloud.supervisor.url], look);
  await tab.page.goto(`${cloud.mainApi.url}${path}`);
  return tab;
}

/** Nothing happened on the page that must not happen. */
export async function expectClean(tab: WatchedTab): Promise<void> {
  expect(await tab.accessibilityFaults()).toEqual([]);
  expect(tab.faults).toEqual([]);
}
