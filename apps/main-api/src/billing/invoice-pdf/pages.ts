import type { Block } from './block.js';
import { PAGE } from './pdf-writer.js';

interface Placed {
  block: Block;
  y: number;
}
export type Page = Placed[];

/** Places blocks on pages from top to bottom. A block that is higher than a page would exceed it. */
export class Pages {
  readonly pages: Page[] = [[]];
  private y: number = PAGE.top;

  /** @param head comes first on a new page that starts with this block */
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
