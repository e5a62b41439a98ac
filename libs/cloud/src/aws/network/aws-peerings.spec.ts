import type { AwsClients } from '../aws-clients.js';
import type { Remembered } from '../../driver/driver-memory.js';
import { AwsPeerings } from './aws-peerings.js';

const TAGS = { installation: 'here', deployment_id: 7 };
const known = (parts: Record<string, string>, isDeleting = false): Map<string, Remembered> => {
  const all = Object.entries(parts).map(([part, id]) => [part, { id, begunAgoMs: 0 }] as const);
  return new Map([['peer', { isDeleting, tags: TAGS, parts: new Map(all) }]]);
};
const clients = (...Statuses: { Code: string; Message?: string }[]): AwsClients => {
  const VpcPeeringConnections = Statuses.map((Status) => ({
    VpcPeeringConnectionId: 'pcx-1',
    RequesterVpcInfo: { VpcId: 'vpc-1', OwnerId: '123456789012', Region: 'us-east-1', CidrBlock: '10.0.0.0/24' },
    Status,
  }));
  return { ec2: { describeVpcPeeringConnections: async () => ({ VpcPeeringConnections }) } } as unknown as AwsClients;
};

describe('A peering at AWS', () => {
  const peerings = new AwsPeerings();

  it.each([
    ['initiating-request', 'pending', undefined],
    ['pending-acceptance', 'pending', 'the other side has not accepted the connection yet'],
    ['provisioning', 'pending', undefined],
    ['active', 'active', undefined],
    ['rejected', 'failed', 'the other side rejected the connection'],
    ['expired', 'failed', 'the other side did not accept the connection within seven days'],
    ['failed', 'failed', 'the words of AWS'],
    ['deleting', 'deleting', undefined],
    ['deleted', 'deleting', undefined],
  ])('that is %s has the state %s', async (Code, state, reason) => {
    const observed = await peerings.look(
      clients({ Code, Message: 'the words of AWS' }),
      known({ vpc_peering: 'pcx-1' }),
    );

    expect(observed.get('peer')).toEqual({
      ...{ name: 'peer', id: 'pcx-1', tags: TAGS, state, ...(reason && { reason }) },
      attributes: {
        ...{ connection_id: 'pcx-1', status: Code.replace('-', '_') },
        requester: { vpc_id: 'vpc-1', owner_id: '123456789012', region: 'us-east-1', cidr: '10.0.0.0/24' },
      },
    });
  });

  it.each([
    ...(['rejected', 'expired', 'failed', 'deleted'] as const).map((code) => [code, true] as const),
    ...(['pending-acceptance', 'active', 'deleting'] as const).map((code) => [code, false] as const),
  ])('that is %s leaves a route behind: %s', async (Code, isLeft) => {
    const withRoute = known({ vpc_peering: 'pcx-1', table: 'rtb-1 10.9.0.0/16' });
    const observed = (await peerings.look(clients({ Code }), withRoute)).get('peer');
    if (!observed) throw new TypeError('the peering is not shown');

    expect(peerings.leftBehind(observed, withRoute.get('peer')) !== null).toBe(isLeft);
    expect(peerings.leftBehind(observed, known({ vpc_peering: 'pcx-1' }).get('peer'))).toBeNull();
  });

  it('that Landlord deletes is in deletion, in whatever state AWS shows it', async () => {
    const observed = await peerings.look(clients({ Code: 'active' }), known({ vpc_peering: 'pcx-1' }, true));

    expect(observed.get('peer')).toMatchObject({ state: 'deleting', attributes: { status: 'deleting' } });
  });

  it('that failed stays described when AWS no longer shows it', async () => {
    const before = (await peerings.look(clients({ Code: 'rejected' }), known({ vpc_peering: 'pcx-1' }))).get('peer');
    const last = (before && peerings.lastSeen(before)) ?? '';

    const after = await peerings.look(clients(), known({ vpc_peering: 'pcx-1', 'last seen': last }));

    expect(after.get('peer')).toEqual(before);
  });

  it('that did not fail is gone when AWS no longer shows it', async () => {
    const active = (await peerings.look(clients({ Code: 'active' }), known({ vpc_peering: 'pcx-1' }))).get('peer');

    expect(active && peerings.lastSeen(active)).toBeNull();
    expect((await peerings.look(clients(), known({ vpc_peering: 'pcx-1' }))).size).toBe(0);
  });
});
