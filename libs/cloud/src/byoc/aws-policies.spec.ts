import { AWS_PERMISSIONS, permissionsPolicy, trustPolicy } from './aws-policies.js';

const actionsOf = (statements: { Action: string | string[] }[]): string[] =>
  [...new Set(statements.flatMap(({ Action }) => Action))].sort();

describe('The policies for AWS', () => {
  it('allow exactly the actions of the driver', () => {
    const { Statement } = permissionsPolicy({ region: 'us-east-1', installation: 'one' });

    expect(actionsOf(Statement)).toEqual([...AWS_PERMISSIONS].sort());
    expect(new Set(AWS_PERMISSIONS).size).toBe(AWS_PERMISSIONS.length);
    expect(JSON.stringify(Statement)).not.toMatch(/:\*"/);
  });

  it('allow no change of resources of another installation', () => {
    const { Statement } = permissionsPolicy({ region: 'us-east-1', installation: 'one' });
    const ending = Statement.filter(({ Action }) =>
      actionsOf([{ Action }]).some((action) => /:(Delete|Term)/.test(action)),
    );

    expect(ending.length).toBe(2);
    for (const { Condition } of ending)
      expect(Condition).toEqual({ StringEquals: { 'aws:ResourceTag/landlord:installation': 'one' } });
  });

  it.each([
    ['us-east-1', 'aws'],
    ['cn-north-1', 'aws-cn'],
    ['us-gov-west-1', 'aws-us-gov'],
  ])('of %s use partition %s', (region, partition) => {
    const both = [trustPolicy(region, '123456789012', 'x'), permissionsPolicy({ region, installation: 'one' })];
    const arns = [...JSON.stringify(both).matchAll(/"arn:([^:]+):/g)].map(([, name]) => name);

    expect(new Set(arns)).toEqual(new Set([partition]));
  });
});
