import { isName, nameKey, repairedName, tidyName } from './name.js';

describe('A name', () => {
  it.each([
    ['Ann', 'Ann'],
    ['  Ann \u00a0\u3000', 'Ann'],
    ['Cafe\u0301', 'Café'],
    ['A\u030angstro\u0308m', 'Ångström'],
    ['\u212b', 'Å'],
    ['a  b', 'a  b'],
  ])('has one form: %j is %j', (text, name) => {
    expect(tidyName(text)).toBe(name);
    expect(isName(tidyName(text))).toBe(true);
    expect(tidyName(name)).toBe(name);
  });

  it.each([
    ...[
      '',
      ' ',
      '\u3000',
      '\u2028',
      'a\u200bb',
      '\u200b',
      'a\u202eb',
      '\ufeffa',
      'a\u00adb',
      'a\tb',
      'a\nb',
      'a\u0000',
      'a\u007f',
    ],
    ...['a\u2066b\u2069', 'a\u{e0041}', 'a\u{1d173}', 'x'.repeat(101)],
  ])('is refused: %j', (text) => {
    expect(isName(text)).toBe(false);
  });

  it.each(['名前', 'Ω', '👩', 'a.b-c_d:e', 'x'.repeat(100), '0', 'ß'])('is taken: %j', (text) => {
    expect(isName(text)).toBe(true);
  });

  it('of an older release is repaired to what its readers see', () => {
    expect(repairedName(' An\u200bn\u202e\u{e0041} ')).toBe('Ann');
    expect(nameKey('CAFE\u0301\u200b')).toBe(nameKey('café'));
  });
});
