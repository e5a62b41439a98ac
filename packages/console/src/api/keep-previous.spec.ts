import { keepPrevious } from './keep-previous.js';

const LIST = ['tenant', 1, 'backups.list', { deployment_id: 7, page: 1, status: 'completed' }];

describe('The answer that stays while a newer one comes', () => {
  it.each([
    ['another page', { deployment_id: 7, page: 2, status: 'completed' }],
    ['another filter', { deployment_id: 7, page: 1 }],
  ])('is that of %s', (_name, input) => {
    expect(keepPrevious(1, 'backups.list', input)('known', { queryKey: LIST })).toBe('known');
  });

  it.each([
    ['another thing', keepPrevious(1, 'backups.list', { deployment_id: 8, page: 1 })],
    ['another organization', keepPrevious(2, 'backups.list', { deployment_id: 7, page: 1 })],
    ['another list', keepPrevious(1, 'snapshots.list', { deployment_id: 7, page: 1 })],
  ])('is not that of %s', (_name, keep) => {
    expect(keep('known', { queryKey: LIST })).toBeUndefined();
  });
});
