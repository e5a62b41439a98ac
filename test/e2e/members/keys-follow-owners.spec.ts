import { apiKeyId, mintApiKey } from '@libs/domain';
import { eventually, EventStream, given, Person, TestCloud, type MembershipOptions } from '@libs/testing';

interface Made {
  id: number;
  role_id: number;
  secret: string;
}

describe('A resource of a user', () => {
  let cloud: TestCloud;
  let known: Record<string, number>;
  let owner: Person;

  beforeAll(async () => {
    cloud = await TestCloud.borrow({ env: { LANDLORD_ROLE: 'api' } });
    const { body } = await cloud.main().get(`${cloud.tenant}/roles?kind=system`);
    known = Object.fromEntries(body.items.map(({ name, id }: { name: string; id: number }) => [name, id]));
    const [row] = await cloud.rows<{ id: number; email: string }>(
      'select u.id::int as id, u.email from tenants t join users u on u.id = t.owner_id where t.id = $1',
      [cloud.installation.tenant_id],
    );
    const id = row?.id ?? 0;
    owner = new Person(cloud.mainApi.url, id, row?.email ?? '', await given.session(cloud, id));
  });
  afterAll(() => cloud.stop());

  let made = 0;
  const roleId = (name: string): number => known[name] ?? 0;
  const keys = (): string => `${cloud.tenant}/api_keys`;
  const person = (name: string, member: MembershipOptions): Promise<Person> =>
    given.person(cloud, { email: `${name}-${(made += 1)}@people.example`, name, member });
  const memberPath = ({ id }: Person): string => `${cloud.tenant}/members/${id}`;
  const tomorrow = (): string => new Date(Date.now() + 86_400_000).toISOString();
  const keyOf = async (who: Person, more: object = { role_id: roleId('admin') }): Promise<Made> => {
    const answer = await who.post(keys(), { name: `key-${(made += 1)}`, expiry_at: tomorrow(), ...more });
    expect(answer.status).toBe(201);
    return answer.body;
  };
  const newest = async (type: string): Promise<any> =>
    (await cloud.rows<any>('select * from audit_entries where type = $1 order by id desc limit 1', [type]))[0];
  const divisions = (secret: string) =>
    cloud.main(secret).post(`${cloud.tenant}/divisions`, { name: `division-${(made += 1)}` });

  describe('of type key', () => {
    it('grants no more than its owner has, immediately after a demotion', async () => {
      const carol = await person('carol', { roles: ['admin'] });
      const { secret } = await keyOf(carol);
      expect((await divisions(secret)).status).toBe(201);

      await owner.put(memberPath(carol), { roles: [roleId('viewer')] });

      expect(await divisions(secret)).toBeProblem('insufficient_permissions', { permission: 'division:manage' });
      expect((await cloud.main(secret).get(`${cloud.tenant}/divisions`)).status).toBe(200);
      const assign = `${cloud.tenant}/roles/${roleId('admin')}/members/assign`;
      expect(await cloud.main(secret).put(assign, { members: [carol.id] })).toBeProblem('insufficient_permissions');
      const { body } = await cloud.main(secret).get(`${cloud.tenant}/members/permissions`);
      expect(body.permissions.tenant).toContain('division:read');
      expect(body.permissions.tenant.filter((name: string) => name.endsWith(':manage'))).toEqual([]);
      await owner.put(memberPath(carol), { roles: [roleId('admin')] });
      expect((await divisions(secret)).status).toBe(201);
    });

    it('follows a restricted role of its owner, also in the Supervisor and in open streams', async () => {
      const { body: role } = await owner.post(`${cloud.tenant}/roles`, {
        name: 'watchers',
        permissions: { tenant: ['info:read', 'api_key:manage', 'deployment:read'] },
      });
      const dan = await person('dan', {});
      await owner.put(memberPath(dan), { roles: [role.id] });
      const { secret } = await keyOf(dan, { permissions: { tenant: ['deployment:read'] } });
      const starter = { cloud: 'aws', region: 'us-east-1' };
      const { body: accepted } = await owner.post(`${cloud.division}/deployments/starter`, starter);
      const events = `${cloud.tenant}/operations/${accepted.operation_id}/events`;
      const streams = [cloud.mainApi, cloud.supervisor].map(({ url }) => new EventStream(`${url}${events}`, secret));
      await eventually('both streams are open', () => streams.every(({ status }) => status === 200));
      expect((await cloud.runtime(secret).get(`/deployments/${accepted.deployment_id}`)).status).toBe(200);

      await owner.put(`${cloud.tenant}/roles/${role.id}`, { permissions: { tenant: ['info:read'] } });

      await eventually('both streams have ended', () => streams.every(({ hasEnded }) => hasEnded));
      expect(await cloud.runtime(secret).get(`/deployments/${accepted.deployment_id}`)).toBeProblem(
        'deployment_not_found',
      );
    });

    it('reaches only divisions of which its owner is a member', async () => {
      const { body: other } = await owner.post(`${cloud.tenant}/divisions`, { name: 'elsewhere' });
      const erin = await person('erin', { roles: ['admin'] });
      const [wide, scoped] = [
        await keyOf(erin),
        await keyOf(erin, { role_id: roleId('admin'), division_id: other.id }),
      ];

      await cloud.rows('update members set division_id = $2 where user_id = $1', [
        erin.id,
        cloud.installation.division_id,
      ]);

      const list = async (secret: string) =>
        (await cloud.main(secret).get(`${cloud.tenant}/divisions`)).body.items.map(({ id }: { id: number }) => id);
      expect(await list(wide.secret)).toEqual([cloud.installation.division_id]);
      expect(await list(scoped.secret)).toEqual([]);
      expect(await cloud.main(scoped.secret).get(`${cloud.tenant}/divisions/${other.id}`)).toBeProblem(
        'division_not_found',
      );
    });

    it('is refused with the secret of another key', async () => {
      const { secret } = await keyOf(owner, { permissions: { tenant: ['info:read'] } });
      const { secret: other } = await keyOf(owner, { permissions: { tenant: ['info:read'] } });

      const forged = mintApiKey(apiKeyId(secret) ?? 0);

      expect(apiKeyId(forged)).toBe(apiKeyId(secret));
      expect(await cloud.main(forged).get(cloud.tenant)).toBeProblem('unauthenticated', { status: 401 });
      expect(await cloud.runtime(forged).get('/deployments/1')).toBeProblem('unauthenticated');
      expect((await cloud.main(secret).get(cloud.tenant)).status).toBe(200);
      expect((await cloud.main(other).get(cloud.tenant)).status).toBe(200);
    });
  });

  describe('of type key, in both APIs,', () => {
    it('works from its addresses only', async () => {
      const { secret } = await keyOf(owner, { permissions: { tenant: ['info:read', 'deployment:read'] } });
      const { secret: far } = await keyOf(owner, {
        permissions: { tenant: ['info:read', 'deployment:read'] },
        ...{ validate_ip: true, allowed_ips: ['203.0.113.0/24'] },
      });
      const path = `${cloud.tenant}/operations`;

      for (const api of [cloud.main(secret), cloud.runtime(secret)]) expect((await api.get(path)).status).toBe(200);
      for (const api of [cloud.main(far), cloud.runtime(far)])
        expect(await api.get(path)).toBeProblem('ip_not_allowed');
    });

    /** Both APIs with an open stream of one operation. The operation ends with the test: no workflow has its step. */
    async function streaming(secret: string, work: (operation: string) => Promise<void>) {
      const [row] = await cloud.rows<{ id: string }>(
        `insert into operations (type, queue, tenant_id, changing, step, trace_id, wake_at)
         values ('provision_deployment', 'operations.nowhere', $1, false, 'creating', repeat('0', 32), 'infinity') returning id`,
        [cloud.installation.tenant_id],
      );
      const operation = `${cloud.tenant}/operations/${row?.id}`;
      const streams = [cloud.mainApi, cloud.supervisor].map(
        ({ url }) => new EventStream(`${url}${operation}/events`, secret),
      );
      await eventually('both streams are open', () => streams.every(({ status }) => status === 200));
      await work(operation);
      await eventually('both streams have ended', () => streams.every(({ hasEnded }) => hasEnded));
      await cloud.rows('delete from operations where id = $1', [row?.id]);
    }

    it('stops working immediately after its deletion, also in open streams', async () => {
      const key = await keyOf(owner, { permissions: { tenant: ['info:read', 'deployment:read'] } });

      await streaming(key.secret, async (operation) => {
        expect((await owner.delete(`${keys()}/${key.id}`)).status).toBe(204);

        for (const api of [cloud.main(key.secret), cloud.runtime(key.secret)])
          expect(await api.get(operation)).toBeProblem('unauthenticated');
      });
    });

    it('stops working immediately after its owner is removed, also in open streams', async () => {
      const rosa = await person('rosa', { roles: ['admin'] });
      const key = await keyOf(rosa, { permissions: { tenant: ['info:read', 'deployment:read'] } });

      await streaming(key.secret, async (operation) => {
        expect((await owner.delete(memberPath(rosa))).status).toBe(204);

        for (const api of [cloud.main(key.secret), cloud.runtime(key.secret)])
          expect(await api.get(operation)).toBeProblem('unauthenticated');
      });
    });
  });

  describe('of type key, changed by another member,', () => {
    it('belongs to the member who rotates it, and stops working when this membership ends', async () => {
      const [frank, grace] = [await person('frank', { roles: ['admin'] }), await person('grace', { roles: ['admin'] })];
      const key = await keyOf(grace);

      const rotated = await frank.post(`${keys()}/${key.id}/rotate`);

      expect(rotated).toMatchObject({ status: 200, body: { user_id: frank.id } });
      expect((await newest('api_key_rotated')).data).toMatchObject({
        owner: { id: frank.id, name: 'frank' },
        previous_owner: { id: grace.id, name: 'grace' },
      });
      await divisions(rotated.body.secret);
      expect(await newest('division_created')).toMatchObject({ author_name: 'frank' });
      await owner.delete(memberPath(frank));
      expect(await divisions(rotated.body.secret)).toBeProblem('unauthenticated');
    });

    it('is not rotated, unrestricted or deleted by a caller who lacks one of its permissions', async () => {
      const key = await keyOf(owner, { role_id: roleId('owner'), validate_ip: true, allowed_ips: ['10.0.0.0/8'] });
      const small = await given.key(cloud, { permissions: { tenant: ['api_key:manage', 'info:read'] } });
      const harry = await person('harry', { roles: ['admin'] });

      for (const api of [cloud.main(small), harry]) {
        expect(await api.post(`${keys()}/${key.id}/rotate`)).toBeProblem('insufficient_permissions');
        expect(await api.delete(`${keys()}/${key.id}`)).toBeProblem('insufficient_permissions');
      }
      const security = `${keys()}/${key.id}/security`;
      for (const looser of [
        { validate_ip: false },
        { allowed_ips: ['10.0.0.0/7'] },
        { allowed_ips: ['10.0.0.0/8', '::1'] },
      ])
        expect(await harry.put(security, looser)).toBeProblem('insufficient_permissions');
      expect((await harry.put(security, { allowed_ips: ['10.1.0.0/16'] })).status).toBe(204);
      const { body } = await owner.get(`${keys()}/${key.id}`);
      expect(body).toMatchObject({ user_id: owner.id, validate_ip: true, allowed_ips: ['10.1.0.0/16'] });
      expect((await owner.delete(`${keys()}/${key.id}`)).status).toBe(204);
    });

    it('belongs to the member who allows more addresses for it', async () => {
      const [iris, jack] = [await person('iris', { roles: ['admin'] }), await person('jack', { roles: ['admin'] })];
      const key = await keyOf(iris, { role_id: roleId('admin'), validate_ip: true, allowed_ips: ['10.0.0.1'] });

      expect((await jack.put(`${keys()}/${key.id}/security`, { validate_ip: false })).status).toBe(204);

      expect((await owner.get(`${keys()}/${key.id}`)).body).toMatchObject({ user_id: jack.id, validate_ip: false });
      expect((await newest('api_key_updated')).data).toMatchObject({
        owner: { id: jack.id },
        previous_owner: { id: iris.id, name: 'iris' },
      });
    });

    it('is not rotated after it has expired', async () => {
      const key = await keyOf(owner);
      await cloud.rows(`update api_keys set expiry_at = now() where id = $1`, [key.id]);

      expect(await owner.post(`${keys()}/${key.id}/rotate`)).toBeProblem('state_conflict', { state: 'expired' });
    });

    it('is deleted by its owner, also after a demotion', async () => {
      const kate = await person('kate', { roles: ['admin'] });
      const key = await keyOf(kate, { permissions: { tenant: ['division:manage'] } });
      const { body: role } = await owner.post(`${cloud.tenant}/roles`, {
        name: 'locksmiths',
        permissions: { tenant: ['api_key:manage'] },
      });
      await owner.put(memberPath(kate), { roles: [role.id] });

      expect((await kate.delete(`${keys()}/${key.id}`)).status).toBe(204);
    });
  });

  describe('of type role', () => {
    it('is not assigned to or revoked from the caller', async () => {
      const liam = await person('liam', { roles: ['admin'] });
      const of = (role: string, verb: string) => `${cloud.tenant}/roles/${roleId(role)}/members/${verb}`;

      expect(await liam.put(of('developer', 'assign'), { members: [liam.id] })).toBeProblem('state_conflict');
      expect(await liam.put(of('admin', 'revoke'), { members: [liam.id] })).toBeProblem('state_conflict');
      const { secret } = await keyOf(liam);
      expect(await cloud.main(secret).put(of('developer', 'assign'), { members: [liam.id] })).toBeProblem(
        'state_conflict',
      );
      expect((await owner.get(memberPath(liam))).body.roles).toEqual([{ id: roleId('admin'), name: 'admin' }]);
    });

    it('is not changed by a caller of one division, unless the role is limited to this division', async () => {
      const division = cloud.installation.division_id;
      const scoped = cloud.main(await given.key(cloud, { divisionId: division }));
      const roles = `${cloud.tenant}/roles`;
      const wideKey = await keyOf(owner, { permissions: { tenant: ['info:read', 'audit:read'] } });
      const ownKey = await keyOf(owner, {
        permissions: { tenant: ['info:read', 'audit:read'] },
        division_id: division,
      });
      const { body: wide } = await owner.post(roles, {
        name: 'wide',
        permissions: { tenant: ['info:read', 'audit:read'] },
      });
      const exact = {
        divisions: { [division]: { permissions: ['division:read'], environment: [], environments: {} } },
      };
      const { body: own } = await owner.post(roles, { name: 'own', permissions: exact });

      const less = { permissions: { tenant: ['info:read'] } };
      expect(await scoped.put(`${roles}/${wideKey.role_id}`, less)).toBeProblem('role_not_found');
      expect(await scoped.get(`${roles}/${wideKey.role_id}`)).toBeProblem('role_not_found');
      expect(await scoped.put(`${roles}/${wide.id}`, less)).toBeProblem('insufficient_permissions');
      expect(await scoped.delete(`${roles}/${wide.id}`)).toBeProblem('insufficient_permissions');
      expect((await scoped.put(`${roles}/${own.id}`, { name: 'ours' })).status).toBe(204);
      expect((await scoped.put(`${roles}/${ownKey.role_id}`, less)).status).toBe(204);
      const listed = (await scoped.get(`${roles}?kind=api_key&results=100`)).body.items;
      expect(listed.map(({ id }: { id: number }) => id)).toContain(ownKey.role_id);
      expect(listed.map(({ id }: { id: number }) => id)).not.toContain(wideKey.role_id);
      expect((await cloud.main(wideKey.secret).get(cloud.tenant)).status).toBe(200);
      for (const [path, body] of [
        ['', { name: 'renamed' }],
        ['/config', { join_policy: 'open' }],
        ['/billing/info', { company: 'Eve Inc.' }],
      ] as const)
        expect(await scoped.put(`${cloud.tenant}${path}`, body)).toBeProblem('insufficient_permissions');
    });
  });

  describe('of type invitation', () => {
    const invitations = (): string => `${cloud.tenant}/invitations`;
    const invite = async (who: Person, role: string): Promise<number> =>
      (await who.post(invitations(), { email: `guest-${(made += 1)}@people.example`, roles: [roleId(role)] })).body.id;
    const alive = async (...ids: number[]): Promise<boolean[]> =>
      Promise.all(ids.map(async (id) => (await owner.get(`${invitations()}/${id}`)).status === 200));

    it('is cancelled if its demoted sender could not send it any more, and the audit records this', async () => {
      const { body: role } = await owner.post(`${cloud.tenant}/roles`, {
        name: 'hosts',
        permissions: { tenant: SYSTEM_VIEWER_AND_MEMBERS },
      });
      const mia = await person('mia', { roles: ['admin'] });
      const [asAdmin, asViewer] = [await invite(mia, 'admin'), await invite(mia, 'viewer')];

      await owner.put(memberPath(mia), { roles: [role.id] });

      expect(await alive(asAdmin, asViewer)).toEqual([false, true]);
      expect(await newest('invitation_cancelled')).toMatchObject({
        author_id: owner.id,
        user_name: 'mia',
        data: { roles: ['admin'], status: 'pending', reason: 'inviter_lost_permissions' },
      });
    });

    it('is cancelled when its sender loses the role, is made inactive or is removed', async () => {
      const noah = await person('noah', { roles: ['admin'] });
      const olga = await person('olga', { roles: ['admin'] });
      const paul = await person('paul', { roles: ['admin'] });
      const quinn = await person('quinn', { roles: ['admin'] });
      const ids = await Promise.all([noah, olga, paul, quinn].map((who) => invite(who, 'viewer')));

      await owner.put(`${cloud.tenant}/roles/${roleId('admin')}/members/revoke`, { members: [noah.id] });
      await owner.put(memberPath(olga), { active: false });
      await owner.delete(memberPath(paul));
      await quinn.delete(`${cloud.tenant}/membership`);

      expect(await alive(...ids)).toEqual([false, false, false, false]);
    });
  });
});

const SYSTEM_VIEWER_AND_MEMBERS = [
  ...['info:read', 'member:manage', 'role:read', 'api_key:read', 'settings:read', 'subscription:read', 'billing:read'],
  ...['audit:read', 'division:read', 'environment:read', 'notifications:read', 'deployment:read'],
  ...['deployment:network:read', 'deployment:access:read', 'deployment:config:read', 'deployment:connector:read'],
];
