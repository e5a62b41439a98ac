import fc from 'fast-check';
import { canonicalRange } from './canonical/range.js';
import { deploymentSubnet, isInRanges, isRangeWithin, overlap, slicesOf, subnetWithin } from './cidr.js';

const octets = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255));
const bits4 = fc.integer({ min: 0, max: 32 });
const toNumber = (parts: readonly number[]): number => parts.reduce((value, part) => value * 256 + part, 0);
const mask = (bits: number): number => (bits === 0 ? 0 : (0xffffffff << (32 - bits)) >>> 0);

describe('An allowlist', () => {
  it('matches IPv4 like the arithmetic of masks', () => {
    fc.assert(
      fc.property(octets, octets, bits4, (network, address, bits) => {
        const isInside = (toNumber(network) & mask(bits)) >>> 0 === (toNumber(address) & mask(bits)) >>> 0;
        expect(isInRanges(address.join('.'), [`${network.join('.')}/${bits}`])).toBe(isInside);
        expect(isInRanges(`::ffff:${address.join('.')}`, [`${network.join('.')}/${bits}`])).toBe(isInside);
      }),
      { numRuns: 2000 },
    );
  });

  it('matches IPv6 by its leading bits', () => {
    fc.assert(
      fc.property(
        fc.bigInt(0n, 2n ** 128n - 1n),
        fc.integer({ min: 0, max: 128 }),
        fc.nat(127),
        (network, bits, flip) => {
          const other = network ^ (1n << BigInt(127 - flip));
          expect(isInRanges(ipv6(network), [`${ipv6(network)}/${bits}`])).toBe(true);
          expect(isInRanges(ipv6(other), [`${ipv6(network)}/${bits}`])).toBe(flip >= bits);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('matches only the address itself for an entry without a prefix length', () => {
    fc.assert(
      fc.property(octets, octets, (one, other) => {
        expect(isInRanges(other.join('.'), [one.join('.')])).toBe(one.join('.') === other.join('.'));
      }),
    );
  });

  it('matches IPv4 with a range that is mapped into IPv6', () => {
    expect(isInRanges('10.1.2.3', ['::ffff:10.0.0.0/104'])).toBe(true);
    expect(isInRanges('11.1.2.3', ['::ffff:10.0.0.0/104'])).toBe(false);
    expect(isRangeWithin('::ffff:10.1.0.0/112', ['10.0.0.0/8'])).toBe(true);
  });

  it.each([
    ['10.0.0.0/8', ['10.0.0.0/8'], true],
    ['10.1.0.0/16', ['192.168.0.0/16', '10.0.0.0/8'], true],
    ['10.0.0.0/8', ['10.0.0.0/9', '10.128.0.0/9'], false],
    ['10.0.0.0/7', ['10.0.0.0/8'], false],
    ['10.0.0.7', ['10.0.0.0/8'], true],
    ['10.0.0.0/8', ['10.0.0.0'], false],
    ['10.0.0.7', ['10.0.0.7'], true],
    ['2001:db8::1', ['2001:db8::1', '10.0.0.0/8'], true],
    ['2001:db8::/32', ['0.0.0.0/0'], false],
    ['10.0.0.7', [], false],
  ])('contains the range %s in one of %j: %s', (range, ranges, expected) => {
    expect(isRangeWithin(range, ranges)).toBe(expected);
  });
});

describe('A subnet for a deployment', () => {
  it('is in the network, and differs from the next one until the network has no more', () => {
    fc.assert(
      fc.property(octets, fc.integer({ min: 8, max: 23 }), fc.nat(1_000_000), (address, bits, index) => {
        const value = (toNumber(address) & mask(bits)) >>> 0;
        const network = `${[24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.')}/${bits}`;

        const [subnet, next] = [subnetWithin(network, index), subnetWithin(network, index + 1)];
        expect(canonicalRange(subnet)).toBe(subnet);
        expect(isInRanges(subnet.replace('/24', ''), [network])).toBe(true);
        expect(next).not.toBe(subnet);
        expect(subnetWithin(network, index + 2 ** (24 - bits))).toBe(subnet);
      }),
    );
  });

  it('of a cell is a /24 of 10.0.0.0/8 by number, and repeats after 65,536', () => {
    expect([0, 1, 255, 256, 65_535, 65_536].map(deploymentSubnet)).toEqual([
      '10.0.0.0/24',
      '10.0.1.0/24',
      '10.0.255.0/24',
      '10.1.0.0/24',
      '10.255.255.0/24',
      '10.0.0.0/24',
    ]);
  });

  it.each([
    ['10.1.2.0/24', 5, '10.1.2.0/24'],
    ['10.1.2.0/23', 0, '10.1.2.0/24'],
    ['10.1.2.0/23', 1, '10.1.3.0/24'],
    ['10.1.2.0/23', 2, '10.1.2.0/24'],
    ['10.1.255.0/23', 1, '10.2.0.0/24'],
    ['203.0.0.0/8', 65_535, '203.255.255.0/24'],
  ])('in %s has for number %i the range %s', (network, index, subnet) => {
    expect(subnetWithin(network, index)).toBe(subnet);
  });

  it('is the whole network when the network is smaller than a /24', () => {
    expect(subnetWithin('10.1.2.128/25', 7)).toBe('10.1.2.128/25');
  });
});

describe('Two networks', () => {
  it.each([
    ['10.0.0.0/8', '10.1.0.0/16', true],
    ['10.1.0.0/16', '10.0.0.0/8', true],
    ['10.0.0.0/24', '10.0.1.0/24', false],
    ['10.0.0.0/24', '10.0.0.0/24', true],
    ['10.0.0.0/23', '10.0.1.0/24', true],
  ])('%s and %s have an address in common: %s', (one, other, expected) => {
    expect(overlap(one, other)).toBe(expected);
  });
});

const ipv6 = (value: bigint): string =>
  value
    .toString(16)
    .padStart(32, '0')
    .replace(/(.{4})(?!$)/g, '$1:');

describe('The slices of a network', () => {
  it.each([
    ['10.1.0.0/24', 1, ['10.1.0.0/24']],
    ['10.1.0.0/24', 2, ['10.1.0.0/25', '10.1.0.128/25']],
    ['10.1.0.0/24', 3, ['10.1.0.0/26', '10.1.0.64/26', '10.1.0.128/26']],
    ['192.168.255.0/26', 4, ['192.168.255.0/28', '192.168.255.16/28', '192.168.255.32/28', '192.168.255.48/28']],
  ])('%s into %d', (network, count, slices) => expect(slicesOf(network, count)).toEqual(slices));
});
