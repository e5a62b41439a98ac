import { plain } from '../output/plain-text.js';
import { columnsOf, cut, padded } from '../output/width.js';
import { bars, short } from './text.js';

describe('A text on the screen', () => {
  it('has no character that changes the terminal', () => {
    const shown = plain('a\u001b[31mb\u0007\u009b2J\u202Ec\n\td\u200B');

    expect(shown).toBe('a\uFFFD[31mb\uFFFD\uFFFD2J\uFFFDc\uFFFD d\uFFFD');
    expect(plain('naïve 注文 e\u0301')).toBe('naïve 注文 e\u0301');
  });

  it('takes two columns for a wide letter and none for a mark', () => {
    expect(['abc', '注文', 'e\u0301', '🚀', '│'].map(columnsOf)).toEqual([3, 4, 1, 2, 1]);
  });

  it('is cut between letters, never in a wide one', () => {
    expect(cut('注文データ', 10)).toBe('注文データ');
    expect(cut('注文データ', 6)).toBe('注文…');
    expect(cut('e\u0301e\u0301e\u0301', 2)).toBe('e\u0301…');
    expect([cut('abc', 1), cut('abc', 0)]).toEqual(['…', '']);
    for (const columns of [0, 1, 5, 12]) expect(columnsOf(padded('注文データ', columns))).toBe(columns);
  });

  it('shows numbers in at most five characters, and as bars', () => {
    expect([0, 7, 1.25, 999, 1500, 123_456, 5e9, undefined].map(short)).toEqual([
      '0',
      '7',
      '1.3',
      '999',
      '1.5K',
      '123K',
      '5G',
      '-',
    ]);
    expect(bars([0, 50, 100, 150], 100, 5)).toBe(' ▁▅██');
    expect(bars([1, 2, 3], 3, 2)).toHaveLength(2);
  });
});
