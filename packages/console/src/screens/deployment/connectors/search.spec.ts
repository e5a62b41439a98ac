import { searchOfCatalogue, searchOfInstance } from './search.js';

describe('The address of the catalogue of connectors', () => {
  it('names the page, the type and the open form', () => {
    expect(searchOfCatalogue({ page: 2, type: 'sink', activate: 'sink:http' })).toEqual({
      ...{ page: 2, type: 'sink', activate: 'sink:http' },
    });
  });

  it.each([{ type: 'drain' }, { activate: 'http' }, { activate: 'drain:http' }, { activate: 'sink:' }, { page: 1 }])(
    'leaves out what is no type, no connector and no page: %j',
    (search) => {
      expect(searchOfCatalogue(search)).toEqual({});
    },
  );
});

describe('The address of an instance', () => {
  it('names the open version, and the page of the dead letters', () => {
    expect(searchOfInstance({ page: 3, version: 2, against: 2 })).toEqual({ page: 3, version: 2 });
  });
});
