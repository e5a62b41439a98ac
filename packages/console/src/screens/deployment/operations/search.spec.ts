import { searchOfOperations } from './search.js';

describe('The address of the page of operations', () => {
  it('names the page and the open operation', () => {
    expect(searchOfOperations({ page: 2, operation: '7' })).toEqual({ page: 2, operation: 7 });
  });

  it.each([{ page: 1 }, { page: 'x', operation: -1 }, { page: 1.5, operation: 0 }, {}])(
    'leaves out what is no number of a page or an operation: %j',
    (search) => {
      expect(searchOfOperations(search)).toEqual({});
    },
  );
});
