import { queryOf, searchOfAudit } from './search.js';

describe('The filter of the audit', () => {
  it('counts the last day', () => {
    expect(queryOf({ from: '2026-01-01', to: '2026-01-31', type: 'role_created', author: '7' })).toEqual({
      ...{ from: '2026-01-01T00:00:00Z', to: '2026-01-31T23:59:59.999Z', types: ['role_created'], author: 7 },
    });
  });
  it('contains ids as numbers, and a correlation id when the whole id is there', () => {
    const id = 'b7b1a9d2-5d53-4c1e-9f0a-0c6c2c0a7d11';
    expect(queryOf(searchOfAudit({ user: 3, api_key: '4', division: 'x', correlation_id: id }))).toEqual({
      ...{ user: 3, api_key: 4, correlation_id: id },
    });
    expect(queryOf(searchOfAudit({ correlation_id: id.slice(0, -1) }))).toEqual({});
    expect(queryOf(searchOfAudit({ correlation_id: '0'.repeat(32) }))).toEqual({ correlation_id: '0'.repeat(32) });
  });
});
