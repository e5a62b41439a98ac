import { createClient, type Landlord } from '@landlord/sdk';
import { TestCloud, TestDeployment } from '@libs/testing';
import { CommandLine } from '../command-line.js';
import { McpSession } from './mcp-session.js';

/** What takes longer than the calls of mcp.spec.ts: operations of the broker, and a Supervisor that is away. */
describe('landlord mcp', () => {
  let cloud: TestCloud;
  let landlord: Landlord;
  const sessions: McpSession[] = [];

  beforeAll(async () => {
    cloud = await TestCloud.borrow();
    landlord = createClient({ url: cloud.mainApi.url, apiKey: cloud.key });
    await cloud.rows(`update tenants set plan_overrides = '{"deployment_tiers": {"free": 5}}'`);
  });
  afterAll(async () => {
    await Promise.all(sessions.map((session) => session.close()));
    await cloud.stop();
  });

  async function open(...words: string[]): Promise<McpSession> {
    const session = await McpSession.open(CommandLine.for(cloud), ...words);
    sessions.push(session);
    return session;
  }

  const key = (): string => crypto.randomUUID();

  it('says why a deployment does not work, also while its Supervisor is away', async () => {
    const { id } = await TestDeployment.free(cloud, { deployment_name: 'unhealthy' });
    await cloud.rows(
      `insert into node_logs (deployment_id, node_id, at, runtime, level, message)
       select deployment_id, id, now(), 'broker', 'error', 'refused' from nodes where deployment_id = $1`,
      [id],
    );
    const session = await open();
    const of = { deployment: String(id) };
    expect((await session.data<{ findings: string[] }>('why_unhealthy', of)).findings).toEqual([
      expect.stringContaining('The logs have errors'),
    ]);

    await cloud.supervisor.kill();
    const { findings, missing } = await session.data<{ findings: string[]; missing: string[] }>('why_unhealthy', of);
    await cloud.supervisor.start();

    expect(missing.map((part) => part.split(':')[0])).toEqual(['nodes', 'logs']);
    expect(findings).toEqual(expect.arrayContaining([expect.stringContaining('could not be read: nodes')]));
  });

  it('changes things with the flag and the right, once for each idempotency key', async () => {
    const session = await open('--allow-writes');
    const wanted = { cloud: 'aws', region: 'us-east-1', deployment_name: 'of-a-model', idempotency_key: key() };
    const created = await session.data<{ deployment_id: number; operation_id: number }>('create_starter', wanted);
    expect(await session.data('create_starter', wanted)).toEqual(created);
    expect(await session.data('operation', { operation_id: created.operation_id, wait: 60 })).toMatchObject({
      operation: { status: 'succeeded', type: 'provision_deployment' },
    });

    const of = { deployment: 'of-a-model' };
    const { password } = await landlord.runtime.getCredentials({ deployment_id: created.deployment_id });
    const rule = { name: 'office', cidr_blocks: ['203.0.113.0/24'], rules: { broker_tcp: true } };
    expect(await session.data('add_access_rule', { ...of, ...rule, idempotency_key: key() })).toMatchObject({
      rule: { name: 'office' },
    });
    const rotated = await session.data<{ operation_id: number }>('rotate_credentials', {
      ...of,
      overlap_seconds: 0,
      idempotency_key: key(),
    });
    await landlord.operation(rotated.operation_id).wait();
    const { password: newer } = await landlord.runtime.getCredentials({ deployment_id: created.deployment_id });
    expect(newer).not.toBe(password);
    expect(JSON.stringify(await session.call('connection', of))).not.toContain(newer);

    const { active } = await session.data('config', of);
    const change = { ...of, config_id: active.id, values: active.values, idempotency_key: key() };
    const applied = await session.data('apply_config', change);
    expect(applied).toMatchObject({ config: { version: active.version + 1 } });
    await landlord.operation(applied['operation_id'] as number).wait();
    expect(await session.data('apply_config', change)).toEqual(applied);
    expect(await session.failure('apply_config', { ...change, values: { more: 1 }, idempotency_key: key() })).toMatch(
      /The active configuration is version 2[^]*Nothing was changed[^]*What to do: call "config"/,
    );
    expect((await session.data('config', of)).versions).toHaveLength(2);
    expect(session.stderr).toContain('the client calls rotate_credentials for of-a-model');
  });
});
