import fc from 'fast-check';
import { isInRanges } from '../cidr.js';
import { readPeerNetwork } from './peer-network.js';
import { canonicalRange, readIpv4Network, readRange } from './range.js';

const octet = fc.nat(255);
const address = fc.tuple(octet, octet, octet, octet).map((octets) => octets.join('.'));

describe('A range', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7/32', '203.0.113.7/32'],
    ['203.0.113.0/24', '203.0.113.0/24'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['::/0', '::/0'],
    ['::1/128', '::1/128'],
    ['2001:DB8:0:0::1', '2001:db8::1'],
    ['2001:0db8:0000::/32', '2001:db8::/32'],
    ['::ffff:10.0.0.1', '10.0.0.1'],
    ['::FFFF:10.0.0.0/104', '10.0.0.0/8'],
    ['::ffff:a00:0/104', '10.0.0.0/8'],
    ['::ffff:0:0/96', '0.0.0.0/0'],
  ])('has one form: %s is %s', (text, range) => {
    expect(readRange(text)).toEqual({ range });
    expect(readRange(range)).toEqual({ range });
  });

  it.each([
    ['203.0.113.7/24', '203.0.113.7/32 or 203.0.113.0/24'],
    ['203.0.113.7/0', '203.0.113.7/32 or 0.0.0.0/0'],
    ['10.0.0.1/8', '10.0.0.1/32 or 10.0.0.0/8'],
    ['10.0.0.1/31', '10.0.0.1/32 or 10.0.0.0/31'],
    ['2001:db8::1/64', '2001:db8::1/128 or 2001:db8::/64'],
    ['2001:db8:ffff::/32', '2001:db8:ffff::/128 or 2001:db8::/32'],
    ['::ffff:203.0.113.7/0', '203.0.113.7/32 or ::/0'],
    ['::ffff:203.0.113.7/120', '203.0.113.7/32 or 203.0.113.0/24'],
  ])('with bits of hosts is refused with both meanings: %s is %s', (text, meanings) => {
    expect(readRange(text)).toEqual({ fault: `has bits of hosts: did you mean ${meanings}` });
  });

  it.each([
    ...['', '10.0.0', '10', '10.1', '010.0.0.1', '010.0.0.0/8', '0x0a000001', '0x7f.0.0.1', '167772161', '1.2.3.4.5'],
    ...['10.0.0.0/33', '10.0.0.0/-1', '10.0.0.0/08', '10.0.0.0/', '10.0.0.0/8/8', '10.0.0.0/255.0.0.0', '10.0.0.0/1e1'],
    ...[
      '::/129',
      'fe80::1%eth0',
      'fe80::%eth0/64',
      '1::2::3',
      '::ffff:010.0.0.1',
      '::ffff:0x10.0.0.1',
      '[::1]',
      '[::1]/128',
    ],
    ...['１０.0.0.1', '10.0.0.0/８', '10。0。0。1', '10.0.0.0\\8', '10.0.0.0⁄8'],
    ...[' 10.0.0.1', '10.0.0.1 ', '10.0.0.0 /8', '10.0.0.0/ 8', '10.0.0.0/8\n', '\u200b10.0.0.1', '1.2.3.4,5.6.7.8'],
    ...['host.example', '10.0.0.1-10.0.0.9', '10.*.*.*', '0.0.0.0/00', '+10.0.0.1', '10.0.0.1:80'],
  ])('has no other spelling: %j', (text) => {
    expect(canonicalRange(text)).toBeNull();
    expect(readIpv4Network(text).range).toBeUndefined();
  });

  it('is taken exactly when its address is the first one, and keeps its meaning', () => {
    fc.assert(
      fc.property(address, fc.integer({ min: 0, max: 32 }), address, (host, bits, other) => {
        const { range, fault } = readRange(`${host}/${bits}`);
        const network = range ?? / or (\S+)$/.exec(fault ?? '')?.[1] ?? '';
        expect(canonicalRange(network)).toBe(network);
        expect(isInRanges(other, [network])).toBe(isInRanges(other, [`${host}/${bits}`]));
      }),
      { numRuns: 2000 },
    );
  });
});

describe('A network of a customer', () => {
  it.each(['10.0.0.0/16', '172.20.0.0/20', '192.168.1.0/28', '100.64.0.0/16', '198.18.0.0/16', '54.1.0.0/16'])(
    'is taken by both clouds: %s',
    (range) => {
      expect(readPeerNetwork('aws', range)).toEqual({ range });
      expect(readPeerNetwork('gcp', range)).toEqual({ range });
    },
  );

  it.each([
    '0.0.0.0/0',
    '0.1.0.0/16',
    '127.0.0.0/16',
    '169.254.0.0/16',
    '224.0.0.0/16',
    '240.0.0.0/24',
    '255.255.255.240/28',
  ])('is unicast, and %s is not', (range) => {
    expect(readPeerNetwork('aws', range).fault).toContain('reserved');
    expect(readPeerNetwork('gcp', range).fault).toContain('reserved');
  });

  it.each([
    ['aws', '10.0.0.0/15', '/16 to /28'],
    ['aws', '10.0.0.0/29', '/16 to /28'],
    ['gcp', '10.0.0.0/30', '/4 to /29'],
    ['gcp', '32.0.0.0/3', '/4 to /29'],
  ] as const)('has a size that %s allows, and %s has not', (cloud, range, sizes) => {
    expect(readPeerNetwork(cloud, range).fault).toContain(sizes);
  });

  it.each(['10.0.0.1', '2001:db8::/32', '10.0.0.1/16', 'nonsense/8'])('is an IPv4 network, and %s is not', (text) => {
    expect(readPeerNetwork('gcp', text).range).toBeUndefined();
  });
});
