import { differences, UNRECORDED } from '../../../../scripts/aws/aws-calls.mjs';
import { AWS_OPERATOR_PERMISSIONS } from './aws-actions.js';

const CUSTOMER = ['ec2:RunInstances', 'ec2:DescribeVpcs', 'ec2:CreateTags'];
const POLICIES = { customer: CUSTOMER, operator: [...CUSTOMER, 'ec2:CreateVpc', 'sts:AssumeRole'] };
const ALL = [
  ...['operator ec2:CreateVpc', 'operator ec2:DescribeVpcs', 'operator sts:AssumeRole', 'customer ec2:RunInstances'],
];

describe('The recorded calls of AWS', () => {
  it('agree with the policies that have each action of them, and no other', () => {
    expect(differences(ALL, POLICIES)).toEqual([]);
    expect(differences([...ALL, ...ALL, 'customer sts:GetCallerIdentity'], POLICIES)).toEqual([]);
  });

  it('name an action that the policy of their account lacks', () => {
    expect(differences([...ALL, 'operator ec2:StopInstances', 'customer ec2:CreateVpc'], POLICIES)).toEqual([
      'The policy of the customer lacks ec2:CreateVpc, which a suite has used.',
      'The policy of the operator lacks ec2:StopInstances, which a suite has used.',
    ]);
  });

  it('name an action of the policy that no suite has used', () => {
    const used = ALL.filter((line) => !line.includes('RunInstances'));

    expect(differences(used, POLICIES)).toEqual([
      'The policy of the operator has ec2:RunInstances, which no suite has used.',
    ]);
    expect(differences([], POLICIES)).toHaveLength(4);
  });

  it('leave out only actions of the policies', () => {
    expect(AWS_OPERATOR_PERMISSIONS).toEqual(expect.arrayContaining(Object.keys(UNRECORDED)));
  });
});
