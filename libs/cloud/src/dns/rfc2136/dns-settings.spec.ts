import { readDnsServer } from './dns-server.js';
import { readTsigKey } from './tsig-key.js';

const SECRET = 'a//b+c/defghijklmnopqrstuvwxyz0123456789ABCD=';
const BODY = `algorithm hmac-sha256; secret "${SECRET}";`;

describe('A key statement', () => {
  it.each([
    ['as tsig-keygen writes it', `key "landlord" {\n\talgorithm hmac-sha256;\n\tsecret "${SECRET}";\n};\n`],
    ['in one line and without quotes', `key landlord { algorithm hmac-sha256; secret ${SECRET}; };`],
    ['with the secret first', `key "landlord" { secret "${SECRET}"; algorithm "HMAC-SHA256"; };`],
    ['with comments', `# made today\n// by hand\nkey "landlord" { ${BODY} };`],
  ])('is read %s', (_how, text) => {
    expect(readTsigKey(text)).toEqual({ name: 'landlord', secret: Buffer.from(SECRET, 'base64') });
  });

  it.each([
    ['another algorithm', `key "k" { algorithm hmac-md5; secret "${SECRET}"; };`],
    ['no algorithm', `key "k" { secret "${SECRET}"; };`],
    ['no secret', 'key "k" { algorithm hmac-sha256; };'],
    ['a short secret', 'key "k" { algorithm hmac-sha256; secret "c2hvcnQ="; };'],
    ['two keys', `key "k" { ${BODY} }; key "l" { ${BODY} };`],
    ['no name', `key { ${BODY} };`],
    ['only the secret', SECRET],
    ['nothing', ''],
  ])('is refused with %s', (_what, text) => {
    expect(readTsigKey(text)).toBeNull();
  });
});

describe('The address of a DNS server', () => {
  it.each([
    ['ns1.example.com', 'ns1.example.com', 53],
    ['ns1.example.com:5353', 'ns1.example.com', 5353],
    ['192.0.2.1', '192.0.2.1', 53],
    ['192.0.2.1:65535', '192.0.2.1', 65_535],
    ['2001:db8::1', '2001:db8::1', 53],
    ['[2001:db8::1]', '2001:db8::1', 53],
    ['[2001:db8::1]:5353', '2001:db8::1', 5353],
  ])('is read: %s', (text, host, port) => {
    expect(readDnsServer(text)).toEqual({ host, port });
  });

  it.each(['', ':53', 'host:0', 'host:65536', 'host:', 'a b', '[ns1]:53', 'udp://host', 'host/zone'])(
    'is refused: "%s"',
    (text) => {
      expect(readDnsServer(text)).toBeNull();
    },
  );
});
