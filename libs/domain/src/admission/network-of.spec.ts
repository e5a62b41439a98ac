import { networkOf } from './network-of.js';

describe('The network of an address', () => {
  it.each([
    ['2001:db8::1', '2001:db8::2'],
    ['2001:db8::1', '2001:0db8:0000:0000:ffff:ffff:ffff:ffff'],
    ['2001:DB8:1:2:3:4:5:6', '2001:db8:1:2::'],
    ['fe80::1%eth0', 'fe80::2'],
    ['::ffff:10.1.2.3', '10.1.2.3'],
    ['::ffff:0a01:0203', '10.1.2.3'],
  ])('is the same for %s and %s', (one, other) => {
    expect(networkOf(one)).toBe(networkOf(other));
  });

  it.each([
    ['2001:db8::1', '2001:db8:0:1::1'],
    ['2001:db8:1:2::', '2001:db8:1:3::'],
    ['10.1.2.3', '10.1.2.4'],
    ['::1', '127.0.0.1'],
  ])('differs between %s and %s', (one, other) => {
    expect(networkOf(one)).not.toBe(networkOf(other));
  });

  it('is the text itself when the text is not an address', () => {
    expect(networkOf('')).toBe('');
  });
});
