import type { Instance } from '@aws-sdk/client-ec2';
import type { Remembered } from '../../driver/driver-memory.js';
import type { ReservedMachine } from '../../driver/reserved-machines.js';
import { observedInstance } from './observed-instance.js';

const TAGS = { installation: 'test', deployment_id: 7, node_id: 1 };
const KNOWN: Remembered = { isDeleting: false, tags: TAGS, parts: new Map() };
const JOINED: ReservedMachine = { incarnation: 1, machine: 'joined', node: null };
const OWN_TAGS = [
  { Key: 'landlord:installation', Value: 'test' },
  { Key: 'landlord:name', Value: 'node-1' },
  { Key: 'landlord:deployment', Value: '7' },
  { Key: 'landlord:node', Value: '1' },
];
const instance = (Tags: Instance['Tags'], Name: 'running' | 'terminated' = 'running'): Instance => ({
  ...{ InstanceId: 'i-1', InstanceType: 'm7i.large', State: { Name } },
  ...(Tags && { Tags }),
});
const node = { name: 'node-1', known: KNOWN, machine: JOINED, volume: undefined };

describe('An instance that AWS shows', () => {
  it('is the node in its tags, and needs no reason', () => {
    expect(observedInstance(instance(OWN_TAGS), node)).toMatchObject({ name: 'node-1', tags: TAGS, state: 'active' });
    expect(observedInstance(instance(OWN_TAGS), node)).not.toHaveProperty('reason');
  });

  it('without its tags is the remembered node, and says what is wrong', () => {
    expect(observedInstance(instance([]), node)).toMatchObject({
      ...{ name: 'node-1', tags: TAGS, state: 'active' },
      reason: 'somebody has removed the tags of the instance i-1, so AWS can refuse to change or end it',
    });
  });

  it('without its tags that has ended says that it has ended', () => {
    expect(observedInstance(instance([], 'terminated'), node)).toMatchObject({
      ...{ state: 'failed', reason: 'the instance i-1 has ended' },
    });
  });

  it('without its tags and without a memory is not shown', () => {
    expect(observedInstance(instance([]), undefined)).toBeNull();
  });
});
