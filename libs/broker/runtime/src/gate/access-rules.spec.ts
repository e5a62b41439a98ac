import type { GateRule } from '@libs/domain';
import { AccessRules, ipv4Of } from './access-rules.js';

const NOW = Date.parse('2026-01-01T00:00:00Z');

function aRule(changes: Partial<GateRule>): GateRule {
  return { id: 1, cidrs: ['10.1.0.0/16'], protocols: ['tcp'], valid_to: null, ...changes };
}

describe('AccessRules', () => {
  it.each([
    ['10.1.255.255', true],
    ['::ffff:10.1.0.1', true],
    ['::FFFF:10.1.0.1', true],
    ['10.2.0.0', false],
    ['::1', false],
    ['10.1.0.1%eth0', false],
    [undefined, false],
  ])('decides about %s: %s', (peer, isAllowed) => {
    expect(new AccessRules([aRule({})]).allows('tcp', peer, NOW)).toBe(isAllowed);
  });

  it('denies everything without rules', () => {
    expect(new AccessRules([]).allows('tcp', '127.0.0.1', NOW)).toBe(false);
  });

  it('allows when any rule allows, each with its own protocols', () => {
    const rules = new AccessRules([aRule({}), aRule({ cidrs: ['0.0.0.0/0'], protocols: ['http'] })]);

    expect(rules.allows('http', '8.8.8.8', NOW)).toBe(true);
    expect(rules.allows('tcp', '8.8.8.8', NOW)).toBe(false);
    expect(rules.allows('websocket', '10.1.0.1', NOW)).toBe(false);
  });

  it('ends a rule at its valid_to, and at once when that cannot be read', () => {
    const rules = new AccessRules([aRule({ valid_to: '2026-01-01T00:00:00Z' }), aRule({ valid_to: 'soon' })]);

    expect(rules.allows('tcp', '10.1.0.1', NOW - 1)).toBe(true);
    expect(rules.allows('tcp', '10.1.0.1', NOW)).toBe(false);
    expect([rules.countValid(NOW - 1), rules.countValid(NOW)]).toEqual([1, 0]);
  });

  it.each(['10.1.0.0/33', '10.1.0.0/-1', '10.1.0.0/1e1', '10.1.0/16', 'host', '', '::/0', '10.1.0.0/'])(
    'lets the malformed range "%s" allow nothing and the others count',
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
