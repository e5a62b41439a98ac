import fc from 'fast-check';
import { cutText, isStorableText, toStorableText } from './storable-text.js';

/** Any UTF-16 units, including single surrogates and NUL. */
const anyText = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 })
  .map((units) => String.fromCharCode(...units));

describe('A storable text', () => {
  it.each(['', 'plain', 'é', '日本', '\u{1f600}', '\n\t', '\uFFFD', '\u007f'])('can be %j', (text) => {
    expect(isStorableText(text)).toBe(true);
  });

  it.each(['\0', 'a\0b', '\ud800', 'a\udfff', '\udc00\ud800', '\u{1f600}\ud83d'])('cannot be %j', (text) => {
    expect(isStorableText(text)).toBe(false);
  });

  it('is the result of toStorableText for any text, and is not changed by it', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(isStorableText(toStorableText(text))).toBe(true);
        if (isStorableText(text)) expect(toStorableText(text)).toBe(text);
      }),
    );
  });
});

describe('A cut text', () => {
  it.each([
    ['abc', 3, 'abc'],
    ['abc', 4, 'abc'],
    ['abcd', 3, 'abc'],
    ['ab\u{1f600}', 4, 'ab\u{1f600}'],
    ['ab\u{1f600}', 3, 'ab'],
    ['ab\u{1f600}c', 4, 'ab\u{1f600}'],
    ['\uffff\uffff', 1, '\uffff'],
    ['\u{10000}', 1, ''],
    ['a', 0, ''],
  ])('of %j with at most %i units is %j', (text, longest, cut) => {
    expect(cutText(text, longest)).toBe(cut);
  });

  it('splits no surrogate pair, and is at most one unit shorter than the limit', () => {
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
