import { searchOfActivities } from './search.js';

describe('The address of the activities', () => {
  it('names the page, the program and the action', () => {
    expect(searchOfActivities({ page: 2, runtime: 'connectors', action: 'stop' })).toEqual({
      ...{ page: 2, runtime: 'connectors', action: 'stop' },
    });
    expect(searchOfActivities({ page: 1, runtime: 'agent', action: 'destroy' })).toEqual({});
  });
});
