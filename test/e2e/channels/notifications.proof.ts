import { jest } from '@jest/globals';
import { EVENTS, type EventType } from '@libs/domain';
import { rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually, TestCloud, takePort, TestDeployment, WebhookReceiver } from '@libs/testing';
import { People } from '../../../apps/main-api/test/people.fixture.js';

/** A node has half a gibibyte. It uses a fifth of this with its broker, and a tenth without. */
const ENV = {
  NODE_UNREACHABLE_SECONDS: '8',
  ALERT_HIGH_PERCENT: '16',
  ALERT_RESOLVED_PERCENT: '14',
  ALERT_SAMPLES: '1',
};
const PATIENCE_MS = 90_000;

/** The level of the resource that a history item names. */
type Place = 'tenant' | 'division' | 'environment' | 'deployment';

/**
 * Each event type and the level it is reported for. The ids of this level and above are set; the ids below are null.
 */
const PLACES: Record<EventType, Place> = {
  tenant_config_updated: 'tenant',
  tenant_join_requested: 'tenant',
  member_joined: 'tenant',
  invitation_created: 'tenant',
  invitation_accepted: 'tenant',
  invitation_rejected: 'tenant',
  api_key_expiring: 'tenant',
  division_created: 'division',
  division_updated: 'division',
  division_deleted: 'division',
  environment_created: 'environment',
  environment_updated: 'environment',
  environment_deleted: 'environment',
  deployment_created: 'deployment',
  deployment_initialized: 'deployment',
  deployment_upgraded: 'deployment',
  deployment_deleted: 'deployment',
  deployment_certificates_rotated: 'deployment',
  deployment_secrets_rotated: 'deployment',
  deployment_operation_failed: 'deployment',
  deployment_degraded: 'deployment',
  deployment_recovered: 'deployment',
  config_rolled_back: 'deployment',
  connector_failed: 'deployment',
  connector_recovered: 'deployment',
  broker_login_refused: 'deployment',
  backup_failed: 'deployment',
  high_cpu_usage: 'deployment',
  high_memory_usage: 'deployment',
  high_disk_usage: 'deployment',
  cpu_usage_resolved: 'deployment',
  memory_usage_resolved: 'deployment',
  disk_usage_resolved: 'deployment',
  node_unreachable: 'deployment',
  node_reachable: 'deployment',
  certificate_expiring: 'deployment',
  billing_limit_reached: 'deployment',
};

jest.setTimeout(240_000);

describe('A channel without subscriptions', () => {
  let cloud: TestCloud;
  let receiver: WebhookReceiver;
  let people: People;
  let url: string;
  let deployment: TestDeployment;
  /** Small enough that the test can exhaust it. */
  let free: TestDeployment;

  beforeAll(async () => {
    cloud = await TestCloud.start({ env: { ...ENV, ...(await WebhookReceiver.env()) } });
    receiver = await WebhookReceiver.start();
    people = new People(cloud);
    const asked = { channel: 'webhook', name: 'all', destination: `${receiver.url}/all` };
    url = `${cloud.tenant}/channels/${(await cloud.main().post(`${cloud.tenant}/channels`, asked)).body.id}`;
  });
  afterAll(async () => {
    await cloud.stop();
    await receiver.stop();
  });

  const history = async (): Promise<any[]> => {
    const pages = [1, 2].map((page) => cloud.main().get(`${url}/notifications?results=100&page=${page}`));
    return (await Promise.all(pages)).flatMap(({ body }) => body.items);
  };
  const eventsOf = (type: EventType) =>
    eventually(
      `the history tells of ${type}`,
      async () => (await history()).find((item) => item.message_type === type),
      PATIENCE_MS,
    );
  const done = async (answer: Promise<{ status: number; body: any }>): Promise<any> => {
    const { status, body } = await answer;
    expect([Math.floor(status / 100), body?.field_issues]).toEqual([2, undefined]);
    return body;
  };
  const agentPid = async (): Promise<number> => {
    const [node] = await free.nodes();
    const mark = `--landlord-node=${cloud.installation.installation}/${node?.id}`;
    const found = (await cloud.nodeProcesses()).find(
      ({ command }) => command.includes('agent.main') && command.split(' ').includes(mark),
    );
    return found?.pid ?? 0;
  };

  it('receives the events of people', async () => {
    await cloud.rows(
      `update tenants set email_domain = 'acme.example', email_domain_verified_at = now() where id = $1`,
      [cloud.installation.tenant_id],
    );
    const config = (join_policy: string) =>
      done(cloud.main().put(`${cloud.tenant}/config`, { ...CONFIG, join_policy }));
    await config('request_to_join');
    await people.verified(people.address('acme.example'));
    await config('open');
    await people.verified(people.address('acme.example'));
    for (const answer of ['accept', 'reject']) {
      const email = await people.verified();
      const { id } = await done(cloud.main().post(`${cloud.tenant}/invitations`, { email }));
      const { headers } = await people.browser(email);
      await done(cloud.main(null).put(`/account/invitations/${id}/${answer}`, {}, headers));
    }
    await eventsOf('invitation_rejected');
  });

  it('receives the events of divisions and environments', async () => {
    const division = `${cloud.tenant}/divisions/${(await done(cloud.main().post(`${cloud.tenant}/divisions`, { name: 'Payments' }))).id}`;
    const made = await done(cloud.main().post(`${division}/environments`, { name: 'production' }));
    const environment = `${division}/environments/${made.id}`;
    for (const path of [environment, division]) await done(cloud.main().put(path, { name: 'renamed' }));
    for (const path of [environment, division]) await done(cloud.main().delete(path));
    await eventsOf('division_deleted');
  });

  it('receives the events of a deployment and of changes by its owner', async () => {
    deployment = await TestDeployment.paid(cloud);
    await deployment.succeeds(await cloud.runtime().post(`${deployment.live}/credentials/rotate`));
    await deployment.succeeds(await cloud.runtime().post(`${deployment.live}/certificates/rotate`));
    await deployment.succeeds(await cloud.main().post(`${deployment.path}/upgrade`, { storage: { size: 150 } }));
    await eventsOf('deployment_upgraded');
    // The backup before the upgrade fills the plan, and the schedule may not delete this backup.
    await cloud.rows(`update tenants set plan_overrides = '{"limits": {"deployment_backups_limit": 1}}'`);
    await done(cloud.runtime().put(`${deployment.live}/backups/schedule`, { every_hours: 24, keep: 1 }));
    await cloud.rows('update backup_schedules set next_at = now()');
    await eventsOf('backup_failed');
    await cloud.rows(`update tenants set plan_overrides = '{}'`);
  });

  it('receives the start and the end of high usage', async () => {
    free = await TestDeployment.free(cloud);
    await eventsOf('high_memory_usage');
    const client = await free.letsIn();
    let isFlooding = true;
    const flood = (async () => {
      while (isFlooding) await client.publishAsync('flood', Buffer.alloc(10_000), { qos: 1 });
    })();
    await eventsOf('high_cpu_usage');
    isFlooding = false;
    await flood;
    await client.endAsync();
    const [node] = await free.nodes();
    const file = join(cloud.directory, 'nodes', String(node?.id), 'data', 'large');
    await writeFile(file, '');
    // A sparse file: only its size counts.
    await truncate(file, 100 * 2 ** 30);
    await eventsOf('high_disk_usage');
    await rm(file);
    await eventsOf('cpu_usage_resolved');
    await eventsOf('disk_usage_resolved');
    await free.succeeds(await cloud.runtime().post(`${free.live}/activities/broker/stop`, {}));
    await eventsOf('memory_usage_resolved');
    await free.succeeds(await cloud.runtime().post(`${free.live}/activities/broker/start`, {}));
  });

  it('receives an unreachable node, an operation that fails, and a certificate that cannot be renewed', async () => {
    const agent = await agentPid();
    const rotation = await cloud.runtime().post(`${free.live}/credentials/rotate`);
    process.kill(agent, 'SIGSTOP');
    await eventsOf('node_unreachable');
    await cloud.rows(
      `update deployment_certificates set not_after = now() + interval '10 days' where deployment_id = $1 and status = 'active'`,
      [free.id],
    );
    await eventsOf('certificate_expiring');
    await cloud.rows(
      `update operations set step_entered_at = now() - interval '1 day' where status in ('pending', 'running')`,
    );
    process.kill(agent, 'SIGCONT');
    await eventsOf('node_reachable');
    await eventsOf('deployment_degraded');
    await eventsOf('deployment_recovered');
    await free.outcome(rotation);
  });

  it('receives a sign-in with a wrong password, and a connector that fails and works again', async () => {
    const { username } = await free.login();
    await expect(free.connect(0, { username, password: 'a guess' })).rejects.toThrow();
    await eventsOf('broker_login_refused');

    await deployment.succeeds(
      await cloud.main().post(`${deployment.path}/connectors/activate`, {
        ...{ connector_type: 'sink', connector_key: 'http', instance_key: 'hook' },
      }),
    );
    const configure = async (transforms: object) => {
      const plugin_config = { url: `${receiver.url}/sink`, retry_delay: '1s' };
      const values = { enabled: true, streams: [{ stream: 's', topics: ['t'] }], plugin_config, transforms };
      const body = { name: 'hook', values, activate: true };
      return deployment.outcome(await cloud.runtime().post(`${deployment.live}/configs/connector:sink:http`, body));
    };
    const added = { key: 'at', value: { computed: 'sunrise' } };
    expect(await configure({ add_fields: { enabled: true, fields: [added] } })).toMatchObject({ status: 'failed' });
    await eventsOf('connector_failed');
    expect(await configure({})).toMatchObject({ status: 'succeeded' });
    await eventsOf('connector_recovered');
  });

  it('receives a configuration that a node does not accept', async () => {
    const reconfigure = async (enabled: boolean) => {
      const values = { websocket: { enabled } };
      await done(cloud.runtime().post(`${free.live}/configs/broker`, { values, activate: true }));
      return free.outcome(await cloud.runtime().post(`${free.live}/tasks`, { type: 'broker:reconfigure' }));
    };
    const endpoint = (await free.nodes())[0]?.endpoints.websocket ?? '';
    expect(await reconfigure(false)).toMatchObject({ status: 'succeeded' });
    const release = await takePort(endpoint);

    expect(await reconfigure(true)).toMatchObject({ status: 'failed' });
    await release();
    await eventsOf('config_rolled_back');
  });

  it('receives a reached spend limit and keys that expire', async () => {
    const expiry_at = new Date(Date.now() + 3 * 86_400_000).toISOString();
    const permissions = { tenant: ['info:read'] };
    await done(cloud.main().post(`${cloud.tenant}/api_keys`, { name: 'ending', expiry_at, permissions }));
    await done(cloud.main().put(`${deployment.path}/spend_limit`, { spend_limit: 0.01 }));
    // No app can do this: metering rows are immutable.
    await cloud.rows(
      `begin; set local session_replication_role = replica;
       update metering_intervals set effective_at = effective_at - interval '1 day'; commit`,
    );
    // These jobs run once a day and once an hour. This makes all of them due now.
    await cloud.rows(`update schedules set due_at = '-infinity'`);
    await eventsOf('api_key_expiring');
    await eventsOf('billing_limit_reached');
  });

  it('receives the deletion, and has at least one history item for each event type, with the ids of its resources', async () => {
    await deployment.delete();
    await eventsOf('deployment_deleted');

    const items = await history();
    const { tenant_id } = cloud.installation;
    const seen = Object.fromEntries(items.map((item) => [item.message_type, levelOf(item)]));
    expect(seen).toEqual(PLACES);
    expect(Object.keys(PLACES).sort()).toEqual(Object.keys(EVENTS).sort());
    expect(items.every((item) => item.tenant_id === tenant_id && item.content.length > 0)).toBe(true);
    const requests = receiver.at('/all');
    expect(requests.map(({ body }) => body.sequence)).toEqual(requests.map((_, at) => at + 1));
  });
});

const CONFIG = { block_external_invitations: false, enforce_domain_only_invitations: false };

function levelOf(item: any): Place | undefined {
  const ids: unknown[] = [item.division_id, item.environment_id, item.deployment_id];
  const missing = ids.indexOf(null);
  return (['tenant', 'division', 'environment', 'deployment'] as const)[missing === -1 ? 3 : missing];
}
