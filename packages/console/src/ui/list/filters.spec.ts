import { DAY, ID, readFilter } from './filters.js';

const ALLOWED = { status: ['failed', 'paid'], from: DAY, author: ID };

describe('The filter in an address', () => {
  it('keeps values of the list, days and ids', () => {
    expect(readFilter({ status: 'paid', from: '2026-01-31', author: 7, other: 'x' }, ALLOWED)).toEqual({
      ...{ status: 'paid', from: '2026-01-31', author: '7' },
    });
  });

  it.each([
    { status: 'unknown' },
    { status: ['paid'] },
    { from: 'tomorrow' },
    { author: -1 },
    { author: '12345678901234567' },
    { author: { id: 1 } },
  ])('leaves out %j', (search) => {
    expect(readFilter(search, ALLOWED)).toEqual({});
  });
});
