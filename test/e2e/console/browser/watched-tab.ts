import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { eventually } from '@libs/testing/basics';
import type { Browser, BrowserContext, Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** The browser reports a refused request as an error. Before the sign-in, the console asks who is signed in. */
const EXPECTED_ERROR = /status of 401 \(Unauthorized\)$/;

/** Runs in each page before its own scripts. */
const REPORT_VIOLATIONS = `addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) => {
  console.error('policy', violatedDirective, blockedURI, sample);
});`;

interface Violation {
  id: string;
  nodes: { target: string[]; failureSummary?: string }[];
}

/** A tab of a browser that collects everything that must not happen on a page of the console. */
export class WatchedTab {
  readonly faults: string[] = [];

  private constructor(
    readonly page: Page,
    private readonly context: BrowserContext,
  ) {}

  /** @param allowed The origins that pages may ask: of the main API and of the Supervisors */
  static async open(
    browser: Browser,
    allowed: readonly string[],
    options: { isDark?: boolean; width?: number; timezone?: string } = {},
  ) {
    const context = await browser.newContext({
      colorScheme: options.isDark ? 'dark' : 'light',
      viewport: { width: options.width ?? 1200, height: 800 },
      ...(options.timezone !== undefined && { timezoneId: options.timezone }),
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const page = await context.newPage();
    const tab = new WatchedTab(page, context);
    page.on('console', (message) => {
      if (message.type() === 'error' && !EXPECTED_ERROR.test(message.text())) tab.faults.push(message.text());
    });
    page.on('pageerror', (error) => tab.faults.push(String(error)));
    page.on('request', (request) => {
      const { origin, protocol } = new URL(request.url());
      if (protocol !== 'data:' && !allowed.includes(origin)) tab.faults.push(`asked ${request.url()}`);
    });
    await page.addInitScript({ content: REPORT_VIOLATIONS });
    return tab;
  }

  /** Waits until every part of the page has its data. */
  async loaded(): Promise<void> {
    const waiting = this.page.getByText('Loading …', { exact: true });
    await eventually('the page has its data', async () => (await waiting.count()) === 0);
  }

  /** Everything that axe finds on the page as it is now. */
  async accessibilityFaults(): Promise<string[]> {
    // By the protocol of the browser, not as a script of the page: the policy of the page stays on.
    const session = await this.context.newCDPSession(this.page);
    await session.send('Runtime.evaluate', { expression: AXE });
    const { result } = await session.send('Runtime.evaluate', {
      expression: `axe.run({ runOnly: ${JSON.stringify(RULES)} }).then(({ violations }) => JSON.stringify(violations))`,
      awaitPromise: true,
    });
    await session.detach();
    const violations = JSON.parse(String(result.value)) as Violation[];
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary ?? ''}`),
    );
  }

  /** Forgets faults that the story itself caused. */
  forgive(text: string): void {
    this.faults.splice(0, this.faults.length, ...this.faults.filter((fault) => !fault.includes(text)));
  }

  close(): Promise<void> {
    return this.context.close();
  }
}
