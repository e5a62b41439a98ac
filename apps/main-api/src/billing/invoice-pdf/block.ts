import type { PdfPage } from './pdf-page.js';

/** A part of the document that is never split between two pages. */
export interface Block {
  /** Points. */
  height: number;
  /** `y` is the upper edge. */
  draw: (pdfPage: PdfPage, y: number) => void;
}

export const gap = (height: number): Block => ({ height, draw: () => undefined });

/** Stacks blocks vertically. The stack is never split between pages. */
export function stacked(blocks: readonly Block[]): Block {
  return {
    height: blocks.reduce((sum, { height }) => sum + height, 0),
    draw: (pdfPage, y) => {
      let at = y;
      for (const block of blocks) {
        block.draw(pdfPage, at);
        at += block.height;
      }
    },
  };
}

/** Places blocks next to each other. */
export function beside(blocks: readonly Block[]): Block {
  return {
    height: Math.max(0, ...blocks.map(({ height }) => height)),
    draw: (pdfPage, y) => blocks.forEach((block) => block.draw(pdfPage, y)),
  };
}
