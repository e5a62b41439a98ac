import { isAddressAllowed } from './address-policy.js';

describe('addresses on the internet', () => {
  it.each(['93.184.216.34', '8.8.8.8', '2606:4700::1111', '::ffff:8.8.8.8', '64:ff9b::808:808'])(
    'accepts %s',
    (address) => {
      expect(isAddressAllowed(address, false)).toBe(true);
    },
  );
});

describe('all other addresses', () => {
  it.each([
    ...['127.0.0.1', '127.255.0.1', '0.0.0.0', '10.1.2.3', '172.16.0.1', '192.168.1.1', '169.254.169.254'],
    ...[
      '100.64.0.1',
      '100.100.100.200',
      '168.63.129.16',
      '224.0.0.1',
      '240.0.0.1',
      '255.255.255.255',
      '192.0.0.8',
      '198.18.0.1',
    ],
    ...['::', '::1', 'fe80::1', 'fe80::1%eth0', 'fc00::1', 'fd00:ec2::254', 'fec0::1', 'ff02::1', '::10.0.0.1'],
    ...['::ffff:127.0.0.1', '::ffff:a9fe:a9fe', '64:ff9b::7f00:1', '64:ff9b::a9fe:a9fe', '64:ff9b:1::a00:1'],
    ...['2002:7f00:1::', '2002:808:808::1', '2001:0:53aa:64c:1::', '2001:db8::1', '100::1', 'no address', ''],
  ])('refuses %s', (address) => {
    expect(isAddressAllowed(address, false)).toBe(false);
  });
});

describe('with private destinations allowed', () => {
  it.each(['127.0.0.1', '10.1.2.3', '::1', 'fc00::1', '::ffff:192.168.1.1'])('accepts %s', (address) => {
    expect(isAddressAllowed(address, true)).toBe(true);
  });

  it.each([
    '169.254.169.254',
    '::ffff:169.254.169.254',
    '64:ff9b::a9fe:a9fe',
    'fd00:ec2::254',
    '100.100.100.200',
    '168.63.129.16',
    '::ffff:168.63.129.16',
    '0.0.0.0',
  ])('refuses %s nevertheless, because machines offer their credentials there', (address) => {
    expect(isAddressAllowed(address, true)).toBe(false);
  });
});
