import { joined, lastArrived, visible } from './log-lines.js';

/** Lines that arrive in the order of their times. */
const lines = (...ids: number[]) => ids.map((id) => ({ id, at: new Date(id * 1000).toISOString() }));

describe('Lines of a log', () => {
  it.each([
    ['an answer with the newest first', [], [3, 2, 1], [1, 2, 3]],
    ['new lines', [1, 2], [3, 4], [1, 2, 3, 4]],
    ['lines that are known already', [1, 2, 3], [2, 3, 4], [1, 2, 3, 4]],
    ['lines between known ones', [1, 4], [3, 2], [1, 2, 3, 4]],
    ['nothing', [1], [], [1]],
  ])('are in their order, each one once: %s', (_, known, more, all) => {
    expect(joined(lines(...known), lines(...more))).toEqual(lines(...all));
  });

  it('are at most 1,000, and the newest ones', () => {
    const known = lines(...Array.from({ length: 990 }, (_, at) => at + 1));
    const kept = joined(known, lines(...Array.from({ length: 20 }, (_, at) => at + 991)));

    expect([kept.length, kept[0]?.id, kept.at(-1)?.id]).toEqual([1000, 11, 1010]);
  });

  it('are in the order of their times, also when one arrives late', () => {
    const late = { id: 9, at: new Date(1500).toISOString() };

    expect(joined(lines(1, 2), [late]).map(({ id }) => id)).toEqual([1, 9, 2]);
    expect(lastArrived([...lines(1), late, ...lines(2)])).toBe(9);
    expect(lastArrived([])).toBeUndefined();
  });

  it('hide no character and turn no text around', () => {
    expect(visible('a\tb\u202Etxt.exe\u200B\u0000\u001B[31mred')).toBe(
      'a b\\u{202e}txt.exe\\u{200b}\\u{0}\\u{1b}[31mred',
    );
    expect(visible('<img src=x onerror=alert(1)> Größe ☃')).toBe('<img src=x onerror=alert(1)> Größe ☃');
  });
});
