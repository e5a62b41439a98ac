import { hashPassword } from '@libs/domain';
import { given, type TestCloud } from '@libs/testing';
import type { Browser, Page } from 'playwright-core';
import { WatchedTab } from './watched-tab.js';

export const PASSWORD = 'a long enough phrase';
/** A name that is markup, and text in the other direction. */
export const ODD_NAME = '<img src=x onerror=alert(1)> مرحبا';

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

interface MemberOnPage {
  roles: string[];
  /** The page of the console that the member opens. */
  path: string;
  look?: object;
}

/** Signs a new member in, on the way to a page. */
export async function signInMember(cloud: TestCloud, browser: Browser, { roles, path, look = {} }: MemberOnPage) {
  const email = `member-${Math.random()}@people.example`;
  const { id } = await userWithPassword(cloud, { email, name: ODD_NAME });
  await given.membership(cloud, id, { roles });
  const tab = await openTab(browser, cloud, `/console${path}`, look);
  await signIn(tab.page, email);
  return { tab, page: tab.page, email };
}

/**
 * Nothing happened on the page that must not happen, and nothing is wider than the page.
 * @param expected Errors that the browser reports about an answer that the test expects
 */
export async function expectClean(tab: WatchedTab, expected?: RegExp): Promise<void> {
  expect(await tab.accessibilityFaults()).toEqual([]);
  expect(tab.faults.filter((fault) => expected?.test(fault) !== true)).toEqual([]);
  expect(await tab.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
}
