import { nextZone } from './next-zone.js';

describe('The next zone after a zone without capacity', () => {
  const nowMs = 1_000_000_000;
  const full = (at: number) => ({ at, reason: 'full' });
  const zones = ['a', 'b', 'c'];
  const one = { zone: 'a', zones, taken: [], isMultiAz: true, full: { a: full(nowMs) }, nowMs };

  it.each([
    ['is the first other zone', one, 'b'],
    ['is not the zone of another node', { ...one, taken: ['b'] }, 'c'],
    [
      'is not a zone that was full less than three minutes ago',
      { ...one, full: { a: full(nowMs), b: full(nowMs - 179_000) } },
      'c',
    ],
    [
      'can be a zone that was full three minutes ago',
      { ...one, full: { a: full(nowMs), b: full(nowMs - 180_000) } },
      'b',
    ],
    [
      'does not exist when the other zones have nodes or are full',
      { ...one, taken: ['b'], full: { c: full(nowMs) } },
      null,
    ],
    ['can be used by the first node of a deployment in one zone', { ...one, isMultiAz: false }, 'b'],
    [
      'does not exist for the second node of a deployment in one zone',
      { ...one, isMultiAz: false, taken: ['a'] },
      null,
    ],
    ['does not exist in a region with one zone', { ...one, zones: ['a'] }, null],
  ])('%s', (_title, given, expected) => {
    expect(nextZone(given)).toBe(expected);
  });
});
