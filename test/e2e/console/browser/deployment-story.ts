import { openBrowser, TestCloud, TestDeployment } from '@libs/testing';
import type { Browser, Locator, Page } from 'playwright-core';
import { MemberTabs, type Look } from './member-tabs.js';
import type { WatchedTab } from './watched-tab.js';

/** Looks that every screen has: light on a desk, and dark on a phone. */
export const LOOKS: readonly (readonly [string, Look])[] = [
  ['light and wide', {}],
  ['dark, on a phone', { isDark: true, width: 390 }],
];

/** The browser reports the answer that there is no schedule of backups as an error. */
export const NO_SCHEDULE = /status of 404 \(Not Found\)$/;

/** A deployment with its screens in a browser. */
export class DeploymentStory {
  private constructor(
    readonly cloud: TestCloud,
    readonly deployment: TestDeployment,
    private readonly browser: Browser,
    private readonly tabs: MemberTabs,
  ) {}

  static async begin(
    make: (cloud: TestCloud) => Promise<TestDeployment> = (cloud) => TestDeployment.free(cloud),
    env: Record<string, string> = {},
  ): Promise<DeploymentStory> {
    const [cloud, browser] = await Promise.all([TestCloud.borrow({ env }), openBrowser()]);
    return new DeploymentStory(cloud, await make(cloud), browser, new MemberTabs(browser, cloud));
  }

  /** The ids of the deployment, for requests. */
  get place(): { deployment_id: number } {
    return { deployment_id: this.deployment.id };
  }

  /** Opens a screen of the deployment for a new member with this role. */
  async open(
    role: string,
    path: string,
    look: Look = {},
    { id } = this.deployment,
  ): Promise<{ tab: WatchedTab; page: Page }> {
    const tab = await this.tabs.open(role, look);
    const { installation, mainApi } = this.cloud;
    await tab.page.goto(`${mainApi.url}/console/t/${installation.tenant_id}/deployments/${id}${path}`);
    return { tab, page: tab.page };
  }

  closeTabs(): Promise<void> {
    return this.tabs.close();
  }

  async end(): Promise<void> {
    await this.tabs.close();
    await this.browser.close();
    await this.cloud.stop();
  }
}

/** Presses a button that asks first, and answers yes. */
export async function confirm(within: Page | Locator, action: string, question: string | RegExp): Promise<void> {
  await within.getByRole('button', { name: action, exact: true }).first().click();
  const page = 'goto' in within ? within : within.page();
  const dialog = page.getByRole('dialog', { name: question });
  await dialog.getByRole('button', { name: action, exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}
