import type { Block } from './block.js';
import { PAGE } from './pdf-page.js';

interface Placed {
  block: Block;
  y: number;
}
export type Page = Placed[];

/** Puts blocks on pages, from above to below. A block that is higher than a page would run over its foot. */
export class Pages {
  readonly pages: Page[] = [[]];
  private y: number = PAGE.top;

  /** @param head what a page begins with that this block is the first on */
  add(block: Block, head?: Block): void {
    if (this.y + block.height > PAGE.bottom && this.pages.at(-1)?.length !== 0) {
      this.pages.push([]);
      this.y = PAGE.top;
      if (head) this.place(head);
    }
    this.place(block);
  }

  private place(block: Block): void {
    this.pages.at(-1)?.push({ block, y: this.y });
    this.y += block.height;
  }
}
