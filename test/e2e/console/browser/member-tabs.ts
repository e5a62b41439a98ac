import { given, type TestCloud } from '@libs/testing';
import type { Browser } from 'playwright-core';
import { WatchedTab } from './watched-tab.js';

export interface Look {
  isDark?: boolean;
  width?: number;
  timezone?: string;
}

/** Tabs of members who are signed in. */
export class MemberTabs {
  private people = 0;
  private readonly tabs: WatchedTab[] = [];

  constructor(
    private readonly browser: Browser,
    private readonly cloud: TestCloud,
  ) {}

  /** A tab of a new member with this role. */
  async open(role: string, look: Look = {}, cloud = this.cloud): Promise<WatchedTab> {
    const home = cloud.mainApi.url;
    this.people += 1;
    const { session } = await given.person(cloud, {
      email: `member-${this.people}-${Date.now()}@people.example`,
      member: { roles: [role], tenantId: cloud.installation.tenant_id },
    });
    const tab = await WatchedTab.open(this.browser, [home, cloud.supervisor.url], look);
    this.tabs.push(tab);
    const cookies = session.cookie.cookie.split('; ').map((pair) => pair.split('=') as [string, string]);
    const [, [name, value] = ['', '']] = cookies;
    await tab.page.context().addCookies([{ name, value, url: home }]);
    return tab;
  }

  async close(): Promise<void> {
    for (const tab of this.tabs.splice(0)) await tab.close();
  }
}
