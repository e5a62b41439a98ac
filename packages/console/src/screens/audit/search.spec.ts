import { queryOf } from './search.js';

describe('The filter of the audit', () => {
  it('counts the last day', () => {
    expect(queryOf({ from: '2026-01-01', to: '2026-01-31', type: 'role_created', author: '7' })).toEqual({
      ...{ from: '2026-01-01T00:00:00Z', to: '2026-01-31T23:59:59.999Z', types: ['role_created'], author: 7 },
    });
  });
});
