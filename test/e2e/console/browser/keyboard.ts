import type { Locator, Page } from 'playwright-core';

const MOST_STEPS = 80;
const LOOKS_FOCUSED = `(() => {
  const one = document.activeElement;
  if (one === null || one === document.body) return null;
  const { outlineStyle, outlineWidth } = getComputedStyle(one);
  const { top, bottom, left, right, width, height } = one.getBoundingClientRect();
  const name = (one.getAttribute('aria-label') ?? one.textContent ?? '').trim() || one.getAttribute('name') || one.tagName;
  const isOutlined = outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2;
  const isInside = bottom > 0 && right > 0 && top < innerHeight && left < innerWidth && width > 0 && height > 0;
  return { name, isSeen: isOutlined && isInside };
})()`;

/** A person without a mouse. Remembers each place where the focus was not visible. */
export class Keyboard {
  readonly unseen: string[] = [];

  constructor(private readonly page: Page) {}

  /** Presses Tab until the thing has the focus. */
  async goTo(thing: Locator, key = 'Tab'): Promise<void> {
    await thing.waitFor();
    for (let step = 0; step < MOST_STEPS; step += 1) {
      if ((await thing.and(this.page.locator(':focus')).count()) > 0) return;
      await this.press(key);
    }
    throw new Error(`Tab does not lead to ${String(thing)}`);
  }

  async type(field: Locator, text: string): Promise<void> {
    await this.goTo(field);
    await this.page.keyboard.type(text);
  }

  async use(thing: Locator, key = 'Enter'): Promise<void> {
    await this.goTo(thing);
    await this.page.keyboard.press(key);
  }

  async press(key: string): Promise<void> {
    await this.page.keyboard.press(key);
    const focused = await this.page.evaluate<{ name: string; isSeen: boolean } | null>(LOOKS_FOCUSED);
    if (focused?.isSeen === false) this.unseen.push(focused.name);
  }
}
