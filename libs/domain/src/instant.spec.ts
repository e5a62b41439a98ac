import { parseInstant } from './instant.js';

describe('parseInstant', () => {
  it.each([
    ['2026-03-01T12:00:00.000Z', '2026-03-01T12:00:00.000Z'],
    ['2026-03-01T12:00:00Z', '2026-03-01T12:00:00.000Z'],
    ['2026-03-01T12:00+02:00', '2026-03-01T10:00:00.000Z'],
    ['2026-03-01', '2026-03-01T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ])('reads %s', (text, instant) => {
    expect(parseInstant(text)?.toISOString()).toBe(instant);
  });

  it.each([
    '',
    'yesterday',
    '2026-02-30',
    '2026-13-01',
    '2026-03-01T25:00:00Z',
    '2026-03-01T12:00:00',
    '1740787200',
    '2026-3-1',
  ])('refuses the invalid instant %j', (text) => {
    expect(parseInstant(text)).toBeNull();
  });
});
