import fc from 'fast-check';
import { cutText, isStorableText, toStorableText } from './storable-text.js';

/** Any UTF-16 units, halves of pairs and NUL included. */
const anyText = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 })
  .map((units) => String.fromCharCode(...units));

describe('A storable text', () => {
  it.each(['', 'plain', 'é', '日本', '\u{1f600}', '\n\t', '\uFFFD', '\u007f'])('is %j', (text) => {
    expect(isStorableText(text)).toBe(true);
  });

  it.each(['\0', 'a\0b', '\ud800', 'a\udfff', '\udc00\ud800', '\u{1f600}\ud83d'])('is not %j', (text) => {
    expect(isStorableText(text)).toBe(false);
  });

  it('comes of any text, and a storable text stays as it is', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(isStorableText(toStorableText(text))).toBe(true);
        if (isStorableText(text)) expect(toStorableText(text)).toBe(text);
      }),
    );
  });
});

describe('A text that is cut', () => {
  it('splits no pair, and loses at most one unit more than it must', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(20), (text, longest) => {
        const cut = cutText(text, longest);
        expect(text.startsWith(cut)).toBe(true);
        expect(cut.length).toBeLessThanOrEqual(longest);
        expect(cut.isWellFormed()).toBe(true);
        if (text.length > longest) expect(cut.length).toBeGreaterThanOrEqual(longest - 1);
      }),
    );
  });
});
