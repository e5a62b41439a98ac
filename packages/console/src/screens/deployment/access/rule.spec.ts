import { openedBy, withAddress } from './rule.js';

describe('An access rule', () => {
  it('has an address once', () => {
    expect(withAddress('', '192.0.2.1/32')).toBe('192.0.2.1/32');
    expect(withAddress('10.0.0.0/8, 192.0.2.1/32', '192.0.2.1/32')).toBe('10.0.0.0/8\n192.0.2.1/32');
  });

  it('names its protocols', () => {
    const rules = { broker_tcp: true, broker_http: false, broker_websocket: true, broker_udp: false };
    expect(openedBy(rules)).toBe('tcp, websocket');
  });
});
