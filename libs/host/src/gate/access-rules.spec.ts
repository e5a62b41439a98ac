import type { GateRule } from '@libs/domain';
import fc from 'fast-check';
import { AccessRules, ipv4Of } from './access-rules.js';

const NOW = Date.parse('2026-01-01T00:00:00Z');

function aRule(changes: Partial<GateRule>): GateRule {
  return { id: 1, cidrs: ['10.1.0.0/16'], protocols: ['tcp'], valid_to: null, ...changes };
}

const dotted = (address: number): string => [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join('.');

describe('AccessRules', () => {
  it.each([
    ['10.1.255.255', true],
    ['::ffff:10.1.0.1', true],
    ['::FFFF:10.1.0.1', true],
    ['10.2.0.0', false],
    ['::1', false],
    ['10.1.0.1%eth0', false],
    [undefined, false],
  ])('allows %s: %s', (peer, isAllowed) => {
    expect(new AccessRules([aRule({})]).allows('tcp', peer, NOW)).toBe(isAllowed);
  });

  it('allows exactly the addresses of the mask, not one bit more or less', () => {
    const address = fc.integer({ min: 0, max: 0xffffffff });
    fc.assert(
      fc.property(
        address,
        fc.integer({ min: 0, max: 32 }),
        fc.integer({ min: 0, max: 31 }),
        (network, bits, flipped) => {
          const rules = new AccessRules([aRule({ cidrs: [`${dotted(network)}/${bits}`] })]);
          // Flips one bit. Below the first `bits` bits the address stays in the range, otherwise it leaves it.
          const other = (network ^ (1 << (31 - flipped))) >>> 0;
          expect(rules.allows('tcp', dotted(network), NOW)).toBe(true);
          expect(rules.allows('tcp', dotted(other), NOW)).toBe(flipped >= bits);
          expect(rules.allows('tcp', `::ffff:${dotted(other)}`, NOW)).toBe(flipped >= bits);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('limits a range to its first and last address', () => {
    const address = fc.integer({ min: 0, max: 0xffffffff });
    fc.assert(
      fc.property(address, fc.integer({ min: 1, max: 32 }), (network, bits) => {
        const size = 2 ** (32 - bits);
        const first = Math.floor(network / size) * size;
        const rules = new AccessRules([aRule({ cidrs: [`${dotted(network)}/${bits}`] })]);
        const allowed = [first - 1, first, first + size - 1, first + size].map(
          (edge) => edge >= 0 && edge <= 0xffffffff && rules.allows('tcp', dotted(edge), NOW),
        );
        expect(allowed).toEqual([false, true, true, false]);
      }),
      { numRuns: 1_000 },
    );
  });

  it('denies everything without rules', () => {
    expect(new AccessRules([]).allows('tcp', '127.0.0.1', NOW)).toBe(false);
  });

  it('allows a peer when any rule allows it, each rule with its own protocols', () => {
    const rules = new AccessRules([aRule({}), aRule({ cidrs: ['0.0.0.0/0'], protocols: ['http'] })]);

    expect(rules.allows('http', '8.8.8.8', NOW)).toBe(true);
    expect(rules.allows('tcp', '8.8.8.8', NOW)).toBe(false);
    expect(rules.allows('websocket', '10.1.0.1', NOW)).toBe(false);
  });

  it('ends a rule at valid_to, and at once when valid_to is unreadable', () => {
    const rules = new AccessRules([aRule({ valid_to: '2026-01-01T00:00:00Z' }), aRule({ valid_to: 'soon' })]);

    expect(rules.allows('tcp', '10.1.0.1', NOW - 1)).toBe(true);
    expect(rules.allows('tcp', '10.1.0.1', NOW)).toBe(false);
    expect([rules.countValid(NOW - 1), rules.countValid(NOW)]).toEqual([1, 0]);
  });

  it.each(['10.1.0.0/33', '10.1.0.0/-1', '10.1.0.0/1e1', '10.1.0/16', 'host', '', '::/0', '10.1.0.0/'])(
    'ignores the malformed range "%s" and applies the others',
    (cidr) => {
      const rules = new AccessRules([aRule({ cidrs: [cidr, '10.9.0.0/16'] })]);

      expect(rules.allows('tcp', '10.1.0.0', NOW)).toBe(false);
      expect(rules.allows('tcp', '10.9.0.1', NOW)).toBe(true);
    },
  );

  it('reads the plain form of an IPv4 peer', () => {
    expect([ipv4Of('::ffff:1.2.3.4'), ipv4Of('1.2.3.4'), ipv4Of('fe80::1')]).toEqual(['1.2.3.4', '1.2.3.4', null]);
  });
});
