import { hashPassword } from '@libs/domain';
import { given, type TestCloud } from '@libs/testing';
import type { Browser } from 'playwright-core';
import { WatchedTab } from './watched-tab.js';

const PASSWORD = 'a long enough phrase';
/** A name that is markup, and text in the other direction. */
export const ODD_NAME = '<img src=x onerror=alert(1)> ‮مرحبا';

interface SignIn {
  roles: string[];
  /** The page of the console that the member opens. */
  path: string;
  look?: { isDark?: boolean; width?: number };
}

/** Signs a new member in by the form, on the way to a page. */
export async function signIn(cloud: TestCloud, browser: Browser, { roles, path, look = {} }: SignIn) {
  const email = `member-${Math.random()}@people.example`;
  const { id } = await given.user(cloud, { email, name: ODD_NAME });
  await given.membership(cloud, id, { roles });
  await cloud.rows('update users set password_hash = $2 where id = $1', [id, await hashPassword(PASSWORD)]);
  const tab = await WatchedTab.open(browser, [cloud.mainApi.url, cloud.supervisor.url], look);
  await tab.page.goto(`${cloud.mainApi.url}/console${path}`);
  await tab.page.getByLabel('E-mail address').fill(email);
  await tab.page.getByLabel('Password').fill(PASSWORD);
  await tab.page.getByRole('button', { name: 'Sign in' }).click();
  return { tab, page: tab.page, email };
}

/** Nothing happened on the page that must not happen. */
export async function expectClean(tab: WatchedTab): Promise<void> {
  expect(await tab.accessibilityFaults()).toEqual([]);
  expect(tab.faults).toEqual([]);
}
