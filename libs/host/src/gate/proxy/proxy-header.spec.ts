import fc from 'fast-check';
import { aProxyHeader } from '../../../test/brokers/proxy-headers.fixture.js';
import { PROXY_HEADER_LIMIT_BYTES, readProxyHeader } from './proxy-header.js';

const hex = (text: string): Buffer => Buffer.from(text.replace(/\s/g, ''), 'hex');
const SIGNATURE = '0d0a0d0a000d0a515549540a';
const IPV6_ENDS = '20010db80000000100000000000000002001 0db8000000020000000000000000c35001bb';

/**
 * Headers of other projects, byte for byte. ATS: Apache Traffic Server, src/iocore/net/unit_tests/test_ProxyProtocol.cc (Apache-2.0).
 * aiosmtpd: aiosmtpd/tests/test_proxyprotocol.py (Apache-2.0). go-proxyproto: pires/go-proxyproto, tlvparse/aws_test.go (Apache-2.0), whose
 * second header is a capture of a load balancer.
 */
const FOREIGN: [string, Buffer, string | null][] = [
  ['ATS, TCP over IPv4', hex(`${SIGNATURE} 2111 000c c0000201 c6336401 c350 01bb`), '192.0.2.1'],
  ['ATS, TCP over IPv6', hex(`${SIGNATURE} 2121 0024 ${IPV6_ENDS}`), '2001:db8:0:1::'],
  ['ATS, LOCAL of a health check', hex(`${SIGNATURE} 2000 0024 ${IPV6_ENDS}`), null],
  ['ATS, an extension', hex(`${SIGNATURE} 2111 0011 c0000201 c6336401 c350 01bb 0100026832`), '192.0.2.1'],
  [
    'aiosmtpd, haproxy with extensions about TLS',
    Buffer.from(
      'DQoNCgANClFVSVQKIREAcn8AAAF/AAABsFJipQMABFT9xv8CAAlBVVRIT1JJVFkFAAlVTklRVUVfSUQgAEQBAAAAACEAB1RMU3YxLjIlAAdSU0E0MDk2JAAKUlNBLVNI' +
        'QTI1NiMAG0VDREhFLVJTQS1BRVMyNTYtR0NNLVNIQTM4NA==',
      'base64',
    ),
    '127.0.0.1',
  ],
  [
    'go-proxyproto, a capture of a balancer at AWS',
    hex(
      `${SIGNATURE} 2111 0054 c0a82c0a c0a82c07 cc3e 241b 030004 b9286fa6 ea0017 01767063652d3030656166633435386563393762383333 040024 ${'00'.repeat(36)}`,
    ),
    '192.168.44.10',
  ],
];

/** Headers that the same projects refuse. */
const FOREIGN_INVALID: [string, Buffer][] = [
  ['ATS, no family', hex(`${SIGNATURE} 2100 0024 ${IPV6_ENDS}`)],
  ['ATS, another signature', hex(`deadbeefdeadbeefdeadbeef 2121 0024 ${IPV6_ENDS}`)],
  ['ATS, an unknown version and command', hex(`${SIGNATURE} ff21 0024 ${IPV6_ENDS}`)],
  ['ATS, an unknown family and transport', hex(`${SIGNATURE} 21ff 0024 ${IPV6_ENDS}`)],
];

const address = fc.ipV4();
const extensions = fc.array(fc.tuple(fc.integer({ min: 0, max: 255 }), fc.uint8Array({ maxLength: 60 })), {
  maxLength: 8,
});

describe('readProxyHeader', () => {
  it.each(FOREIGN)('reads the header of %s', (_whose, header, source) => {
    expect(readProxyHeader(header)).toEqual({ is: 'complete', bytes: header.length, source });
  });

  it.each(FOREIGN_INVALID)('refuses the header of %s', (_whose, header) => {
    expect(readProxyHeader(header)).toEqual({ is: 'invalid' });
  });

  it('needs more bytes at each place inside of a header, and leaves the bytes after the header', () => {
    fc.assert(
      fc.property(address, extensions, fc.uint8Array({ maxLength: 100 }), (source, extra, after) => {
        const header = aProxyHeader({ source, extensions: extra });
        fc.pre(header.length <= PROXY_HEADER_LIMIT_BYTES);
        for (let end = 0; end < header.length; end += 1)
          expect(readProxyHeader(header.subarray(0, end))).toEqual({ is: 'incomplete' });
        const all = Buffer.concat([header, after]);
        expect(readProxyHeader(all)).toEqual({ is: 'complete', bytes: header.length, source });
      }),
    );
  });

  it('answers each sequence of bytes, and keeps the answer `invalid` when more bytes follow', () => {
    const begun = fc
      .tuple(fc.integer({ min: 0, max: 16 }), fc.uint8Array({ maxLength: 700 }))
      .map(([kept, rest]) => Buffer.concat([aProxyHeader({ source: '10.0.0.1' }).subarray(0, kept), rest]));
    fc.assert(
      fc.property(
        fc.oneof(
          begun,
          fc.uint8Array({ maxLength: 700 }).map((bytes) => Buffer.from(bytes)),
        ),
        (bytes) => {
          let wasInvalid = false;
          for (let end = 0; end <= bytes.length; end += 1) {
            const { is } = readProxyHeader(bytes.subarray(0, end));
            expect(['incomplete', 'invalid', 'complete']).toContain(is);
            if (wasInvalid) expect(is).toBe('invalid');
            if (end >= PROXY_HEADER_LIMIT_BYTES) expect(is).not.toBe('incomplete');
            wasInvalid = is === 'invalid';
          }
        },
      ),
    );
  });

  it('reads a header of 536 bytes, and refuses a longer one at its length', () => {
    const largest = aProxyHeader({ source: '10.0.0.1', extensions: [[0xe0, new Uint8Array(505)]] });
    const larger = aProxyHeader({ source: '10.0.0.1', extensions: [[0xe0, new Uint8Array(506)]] });

    expect([largest.length, readProxyHeader(largest).is]).toEqual([536, 'complete']);
    expect(readProxyHeader(larger.subarray(0, 16))).toEqual({ is: 'invalid' });
  });

  it.each([
    ['a datagram over IPv4', { family: 0x12 }],
    ['a datagram over IPv6', { family: 0x22 }],
    ['a Unix socket', { family: 0x31 }],
    ['version 1', { command: 0x11 }],
    ['version 3', { command: 0x31 }],
    ['command 2', { command: 0x22 }],
    ['fewer bytes than the addresses', { length: 11 }],
    [
      'an extension longer than the header',
      { extensions: [[0xe0, new Uint8Array(8)]] as [number, Uint8Array][], length: 22 },
    ],
    [
      'half of the head of an extension',
      { extensions: [[0xe0, new Uint8Array(8)]] as [number, Uint8Array][], length: 25 },
    ],
  ])('refuses %s', (_what, changes) => {
    const header = Buffer.concat([aProxyHeader({ source: '10.0.0.1', ...changes }), Buffer.alloc(40)]);

    expect(readProxyHeader(header)).toEqual({ is: 'invalid' });
  });

  it.each([
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8::1', '2001:db8::1'],
    ['::1', '::1'],
    ['::', '::'],
  ])('normalizes the IPv6 address %s to %s', (source, normal) => {
    expect(readProxyHeader(aProxyHeader({ source }))).toMatchObject({ source: normal });
  });

  it('reads the header of Private Service Connect with the id of a connection', () => {
    const id: [number, Uint8Array] = [0xe0, hex('ffffffffc0a86402')];

    expect(readProxyHeader(aProxyHeader({ source: '10.1.2.3', extensions: [id] }))).toEqual({
      ...{ is: 'complete', bytes: 39, source: '10.1.2.3' },
    });
  });
});
