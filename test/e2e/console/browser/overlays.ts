import { eventually } from '@libs/testing/basics';
import type { Page } from 'playwright-core';
import type { WatchedTab } from './watched-tab.js';

/** What opens a dialog, a row or a section that is closed. A button that does nothing now opens nothing. */
const OPENERS = [
  '[aria-haspopup="dialog"]:not([aria-disabled="true"])',
  '[aria-expanded="false"]',
  'details:not([open]) > summary',
].join(', ');
const IS_WIDE = `[document.documentElement, ...document.querySelectorAll('dialog[open]')]
  .some(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)`;

type Opener = Awaited<ReturnType<Page['$$']>>[number];
type Part = Pick<Page, '$' | '$$'>;

/** Opens everything that a page can open, one after the other, with keys. Answers no question with yes. */
export class Overlays {
  readonly opened: string[] = [];
  readonly faults: string[] = [];

  /** @param isExpected Whether an error of the browser belongs to the page itself */
  constructor(
    private readonly tab: WatchedTab,
    private readonly title: string,
    private readonly isExpected: (fault: string) => boolean,
  ) {}

  async openAll(part: Part = this.tab.page): Promise<void> {
    for (const opener of await part.$$(OPENERS)) if (await opener.isVisible()) await this.open(opener);
  }

  private async open(opener: Opener): Promise<void> {
    const { page } = this.tab;
    const name = ((await opener.textContent()) ?? '').trim();
    await opener.focus();
    await page.keyboard.press('Enter');
    if (!(await becomes(() => isOpen(opener), true))) return this.note(name, ['does not open']);
    this.opened.push(`${this.title}: ${name}`);
    await this.tab.loaded();
    const isWide = await page.evaluate<boolean>(IS_WIDE);
    this.note(name, [
      ...(await this.tab.accessibilityFaults()),
      ...this.tab.faults.splice(0).filter((fault) => !this.isExpected(fault)),
      ...(isWide ? ['wider than its place'] : []),
    ]);
    const dialog = await page.$('dialog:modal');
    await this.openAll(dialog ?? (await opener.$('xpath=self::summary/..')) ?? NOTHING);
    await this.close(opener, name, dialog !== null);
  }

  /** A dialog closes with Escape. The focus goes back to where the person was. */
  private async close(opener: Opener, name: string, isDialog: boolean): Promise<void> {
    const { page } = this.tab;
    if (!isDialog) await opener.focus();
    await page.keyboard.press(isDialog ? 'Escape' : 'Enter');
    if (!(await becomes(() => isOpen(opener), false))) this.note(name, ['does not close']);
    if (!(await becomes(() => hasFocus(opener), true))) this.note(name, ['does not get the focus back']);
  }

  private note(name: string, faults: readonly string[]): void {
    this.faults.push(...faults.map((fault) => `${this.title}, ${name}: ${fault}`));
  }
}

/** A row that is open has no part of its own on the page. */
const NOTHING: Part = { $: () => Promise.resolve(null), $$: () => Promise.resolve([]) };

/** Whether the opener has opened what it opens. */
const isOpen = (opener: Opener): Promise<boolean> =>
  opener.evaluate((one) =>
    one.matches('[aria-haspopup]')
      ? one.ownerDocument.querySelector('dialog:modal') !== null
      : one.matches('[aria-expanded="true"], details[open] > summary'),
  );

const hasFocus = (opener: Opener): Promise<boolean> =>
  opener.evaluate((one) => one === one.ownerDocument.activeElement);

/** Whether the check gets to this state in a moment. */
const becomes = (check: () => Promise<boolean>, state: boolean): Promise<boolean> =>
  eventually('the check gets there', async () => (await check()) === state, 1_000).catch(() => false);
