import { networkLayoutOf } from './network-layout.js';

const ordered = { vpc_id: null, vpc_cidr: null, dedicated: false, managed_tier: 'standard' };

describe('The network of a deployment', () => {
  it.each([
    ['is shared with other deployments', ordered, 'shared'],
    ['is shared without a managed tier', { ...ordered, managed_tier: null }, 'shared'],
    ['is its own when it is dedicated', { ...ordered, dedicated: true }, 'own'],
    ['is its own when the managed tier includes peerings', { ...ordered, managed_tier: 'performance' }, 'own'],
    ['is its own when the managed tier includes peerings', { ...ordered, managed_tier: 'enterprise' }, 'own'],
    [
      'is in the VPC of the customer',
      { ...ordered, vpc_id: 'vpc-1', vpc_cidr: '10.1.0.0/16', dedicated: true },
      { vpc_id: 'vpc-1', range: 'given' },
    ],
    [
      'is in a free range of the VPC without a vpc_cidr',
      { ...ordered, vpc_id: 'vpc-1' },
      { vpc_id: 'vpc-1', range: 'free' },
    ],
  ])('%s: %j', (_title, facts, layout) => {
    expect(networkLayoutOf(facts)).toEqual(layout);
  });
});
