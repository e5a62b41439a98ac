import { searchOfNetwork } from './search.js';

describe('The address of the network', () => {
  it('names what is open', () => {
    expect(searchOfNetwork({ peering: '3' })).toEqual({ peering: 3 });
    expect(searchOfNetwork({ attachment: 4, peering: -1 })).toEqual({ attachment: 4 });
    expect(searchOfNetwork({ attachment: 'x' })).toEqual({});
  });
});
