import type { WaitingEvent } from '@libs/persistence/channels';
import { contentOf } from './event-wording.js';

const event = (more: Partial<WaitingEvent>): WaitingEvent => ({
  id: 1,
  type: 'node_unreachable',
  subject: 'Node n1 of orders is unreachable',
  data: {},
  division: { id: 2, name: 'Payments' },
  environment: { id: 3, name: 'production' },
  deployment: { id: 12, name: 'orders' },
  ...more,
});

describe('The text of an event', () => {
  it('contains the place and the plain facts, one line each', () => {
    const data = {
      node_id: 7,
      name: 'n1',
      unreachable_since: '2026-01-31T12:00:00.000Z',
      tags: ['a', 'b'],
      none: null,
    };
    expect(contentOf(event({ data }))).toBe(
      [
        'Deployment: orders (id 12)',
        'Environment: production (id 3)',
        'Division: Payments (id 2)',
        'Node id: 7',
        'Name: n1',
        'Unreachable since: 2026-01-31T12:00:00.000Z',
        'Tags: a, b',
      ].join('\n'),
    );
  });

  it('uses the id of a place without a name, and leaves out missing places', () => {
    const place = { division: { id: 2, name: null }, environment: null, deployment: null };
    expect(contentOf(event({ ...place, data: { name: 'orders', from: { tier: 'small', size: { gb: 1 } } } }))).toBe(
      'Division: (id 2)\nName: orders\nFrom: tier: small\nFrom: size: gb: 1',
    );
  });

  it('contains the name of the resource once', () => {
    expect(contentOf(event({ data: { name: 'orders' } })).match(/orders/g)).toHaveLength(1);
  });

  it('limits its length, and never starts a line with a name that a user chose', () => {
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`fact_${n}`, n]));
    const lines = contentOf(
      event({ deployment: { id: 1, name: 'a\nDeployment: b\u2028c' }, data: { text: 'x'.repeat(5_000), ...many } }),
    ).split(/[\n\u2028]/);
    expect(lines).toHaveLength(23);
    expect(lines[0]).toBe('Deployment: a Deployment: b c (id 1)');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(320);
  });
});
