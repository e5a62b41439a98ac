import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWithBrowser } from '@libs/testing';
import { makePictures } from '../../../scripts/pictures/pictures.mjs';

const FOLDER = join(import.meta.dirname, '../../../docs/pictures');
const TEXT = /<text[^>]*>(.*?)<\/text>/gs;
const COLOR = /(?:fill|stroke|stop-color)="(rgb[^"]*|#[^"]*)"/g;

/** What a person reads. Numbers, times and the addresses of a run differ, and so does the number of steps that a wait shows. */
const textsOf = (picture: string): string[] =>
  [...picture.matchAll(TEXT)]
    .map(([, text = '']) =>
      text
        .replace(/<[^>]+>/g, '')
        .replace(/\d+/g, '0')
        .trim(),
    )
    .filter((text) => text !== '' && !text.startsWith('…'));

const colorsOf = (picture: string): string[] =>
  [...new Set([...picture.matchAll(COLOR)].map(([, color = '']) => color))].sort();

describeWithBrowser('The pictures of the documents', () => {
  it('show what a new installation shows: `npm run pictures` makes them again', async () => {
    const pictures = await makePictures();

    expect(readdirSync(FOLDER).sort()).toEqual(Object.keys(pictures).sort());
    for (const [name, current] of Object.entries(pictures)) {
      const picture = readFileSync(join(FOLDER, name), 'utf8');
      expect([name, textsOf(picture), colorsOf(picture)]).toEqual([name, textsOf(current), colorsOf(current)]);
      expect(picture).not.toMatch(/href="https?:|<script|landlord-pictures-/);
    }
  });
});
