import { callerAddress } from './caller-address.js';

describe('The address of the caller', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7', '203.0.113.7/32'],
    ['::ffff:203.0.113.7', '203.0.113.7', '203.0.113.7/32'],
    ['2001:DB8::0:7', '2001:db8::7', null],
  ])('of %s is %s, in a rule %s', (peer, address, cidr) => {
    expect(callerAddress(peer)).toEqual({ address, cidr });
  });
});
