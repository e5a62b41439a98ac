import { searchOfConfigs } from './search.js';

describe('The address of a configuration', () => {
  it('names the open version, and the version that it is compared with', () => {
    expect(searchOfConfigs({ version: '2', against: 1 })).toEqual({ version: 2, against: 1 });
    expect(searchOfConfigs({ version: 2, against: 2 })).toEqual({ version: 2 });
  });

  it.each([{ version: 0, against: 1 }, { version: 'x' }, { version: 1.5 }, { against: 1 }])(
    'leaves out what is no version: %j',
    (search) => {
      expect(searchOfConfigs(search)).toEqual({});
    },
  );
});
