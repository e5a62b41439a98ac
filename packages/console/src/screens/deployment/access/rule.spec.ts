import { cidrsIn, lineOf, openedBy, ruleOf, withAddress, type RuleDraft } from './rule.js';

const DRAFT: RuleDraft = { name: ' office ', addresses: '203.0.113.0/24, 198.51.100.7/32', protocols: ['tcp', 'http'] };

describe('A new access rule', () => {
  it('has the addresses however they are separated', () => {
    expect(cidrsIn(' 10.0.0.0/8,10.1.0.0/16\n192.0.2.1/32; ')).toEqual(['10.0.0.0/8', '10.1.0.0/16', '192.0.2.1/32']);
    expect(cidrsIn('')).toEqual([]);
  });

  it('has an address once', () => {
    expect(withAddress('', '192.0.2.1/32')).toBe('192.0.2.1/32');
    expect(withAddress('10.0.0.0/8 192.0.2.1/32', '192.0.2.1/32')).toBe('10.0.0.0/8, 192.0.2.1/32');
  });

  it('opens the chosen protocols, and no other', () => {
    expect(ruleOf(7, DRAFT)).toEqual({
      deployment_id: 7,
      name: 'office',
      cidr_blocks: ['203.0.113.0/24', '198.51.100.7/32'],
      rules: { broker_tcp: true, broker_http: true, broker_websocket: false, broker_udp: false },
    });
  });

  it('has a line for the command line, which no address can leave', () => {
    expect(lineOf(7, DRAFT)).toBe(
      'landlord rules add 203.0.113.0/24 198.51.100.7/32 --name office --protocols tcp,http --deployment 7',
    );
    expect(lineOf(7, { ...DRAFT, addresses: '$(reboot)' })).toContain("rules add '$(reboot)' ");
  });

  it('names the protocols of a rule', () => {
    const rules = { broker_tcp: true, broker_http: false, broker_websocket: true, broker_udp: false };
    expect(openedBy(rules)).toBe('tcp, websocket');
  });
});
