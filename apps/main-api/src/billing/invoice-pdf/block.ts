import type { PdfWriter } from './pdf-writer.js';

/** A part of the document that is never split between two pages. */
export interface Block {
  /** Points. */
  height: number;
  /** `y` is the upper edge. */
  draw: (pdf: PdfWriter, y: number) => void;
}

export const gap = (height: number): Block => ({ height, draw: () => undefined });

/** Stacks blocks vertically. The stack is never split between pages. */
export function stacked(blocks: readonly Block[]): Block {
  return {
    height: blocks.reduce((sum, { height }) => sum + height, 0),
    draw: (pdf, y) => {
      let at = y;
      for (const block of blocks) {
        block.draw(pdf, at);
        at += block.height;
      }
    },
  };
}

/** Places blocks next to each other. */
export function beside(blocks: readonly Block[]): Block {
  return {
    height: Math.max(0, ...blocks.map(({ height }) => height)),
    draw: (pdf, y) => blocks.forEach((block) => block.draw(pdf, y)),
  };
}
