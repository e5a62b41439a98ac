/** What counts as one caller by address: who has one IPv6 address has the 2^64 of its /64. */
export const networkOf = (address: string): string =>
  address.includes(':') && !address.startsWith('::ffff:')
    ? `${address.split(':').slice(0, 4).join(':')}::/64`
    : address;
