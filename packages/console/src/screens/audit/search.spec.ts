import { queryOf, searchOfAudit } from './search.js';

describe('The filter of the audit', () => {
  it('keeps what an address can say, and nothing else', () => {
    expect(
      searchOfAudit({ page: 2, type: 'role_created', from: '2026-01-31', to: 'tomorrow', author: '7', deployment: -1 }),
    ).toEqual({ page: 2, type: 'role_created', from: '2026-01-31', author: 7 });
  });

  it('counts the last day', () => {
    expect(queryOf({ from: '2026-01-01', to: '2026-01-31' })).toEqual({
      ...{ from: '2026-01-01T00:00:00Z', to: '2026-01-31T23:59:59.999Z' },
    });
  });
});
