import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually, given, TestCloud, TestDeployment, type ApiAnswer } from '@libs/testing';
import { row } from './row.js';

const SHAPE = { cloud: 'aws', region: 'us-east-1', tier: 'small', managed_tier: 'enterprise', cluster: 'cluster' };
const PEERING = {
  name: 'first',
  peer_vpc_id: 'vpc-0123456789abcdef0',
  peer_owner_id: '123456789012',
  peer_region: 'us-east-1',
  peer_vpc_cidr: '172.20.0.0/16',
};
const PRINCIPALS = { allowed_principals: ['arn:aws:iam::123456789012:root'] };

const refusal = ({ status, body }: ApiAnswer) => ({ status, code: body?.code });

/** The audit of the Supervisor: one row per deviation that an outside tester found. */
describe('The Supervisor', () => {
  let cloud: TestCloud;
  /** Three nodes with the terms for private networking. */
  let cluster: TestDeployment;
  let number = 0;

  beforeAll(async () => {
    cloud = await TestCloud.start({ env: { NODE_UNREACHABLE_SECONDS: '15' } });
    cluster = await TestDeployment.paid(cloud, { ...SHAPE, managed_tier: 'enterprise' });
  }, 240_000);
  afterAll(() => cloud.stop());

  const name = (): string => `row-${(number += 1)}`;
  const network = (path: string): string => `${cluster.live}/network/aws/${path}`;
  const audited = async (type: string): Promise<any[]> =>
    (await cloud.main().get(`/audit${cloud.tenant}?types=${type}&results=20`)).body.items;
  const settled = (): Promise<unknown> =>
    eventually(
      'no operation runs',
      async () => (await cloud.rows(`select 1 from operations where status in ('pending', 'running')`)).length === 0,
      120_000,
    );

  row('1', 'the stored data of an encrypted deployment contains no message', async () => {
    const isFound = async (encrypted: boolean): Promise<boolean> => {
      const deployment = await TestDeployment.paid(cloud, { encrypted });
      await deployment.permit();
      const client = await deployment.letsIn();
      await client.publishAsync('orders/1', 'a-message-of-row-1', { qos: 1, retain: true });
      await client.endAsync();
      const [node] = await deployment.nodes();
      const data = join(cloud.directory, 'nodes', String(node?.id), 'data');
      const found = (await readdir(data)).map((name) => readFile(join(data, name)));
      await deployment.delete();
      return (await Promise.all(found)).some((content) => content.includes('a-message-of-row-1'));
    };
    return { expected: [false, true], got: [await isFound(true), await isFound(false)] };
  });

  row('3', 'a network that overlaps is cidr_overlap, which the catalogue of errors has', async () => {
    const { cidr } = (await cloud.runtime().get(cluster.live)).body;
    const answer = await cloud.runtime().post(network('vpc_peering'), { ...PEERING, peer_vpc_cidr: cidr });
    const codes = (await cloud.main(null).get('/errors')).body.map(({ code }: { code: string }) => code);
    return {
      expected: [{ status: 400, code: 'cidr_overlap' }, [cidr, cidr], true],
      got: [refusal(answer), answer.body.cidrs, codes.includes('cidr_overlap')],
    };
  });

  row('4', 'a new endpoint service is named in ld-endpoint-service', async () => {
    const answer = await cloud.runtime().post(network('private_link'), { name: name(), ...PRINCIPALS });
    await settled();
    return {
      expected: [204, expect.stringMatching(/^\d+$/), null],
      got: [answer.status, answer.headers.get('ld-endpoint-service'), answer.headers.get('ld-service')],
    };
  });

  row(
    '5, 6',
    'a deployment without a public IP is private and has no domain, wherever it is shown',
    async () => {
      const closed = await TestDeployment.paid(cloud, { ...SHAPE, public_ip_enabled: false });
      const [main, live, info, certificate] = await Promise.all([
        cloud.main().get(closed.path),
        cloud.runtime().get(closed.live),
        cloud.runtime().get(`${closed.live}/network/info`),
        cloud.runtime().get(`${closed.live}/certificates`),
      ]);
      await closed.delete();
      return {
        expected: [null, null, null, 'private', 'private', false],
        got: [
          ...[main.body.domain, live.body.domain, info.body.domain],
          ...[live.body.network_mode, info.body.network_mode],
          JSON.stringify(certificate.body).includes('landlord.local'),
        ],
      };
    },
    240_000,
  );

  row(
    '10',
    'a cluster with a stopped leader is degraded, and its channels are told',
    async () => {
      const stopped = await cloud
        .runtime()
        .post(`${cluster.live}/activities/broker/stop`, { nodes: [(await cluster.nodes())[0]?.id] });
      await cluster.succeeds(stopped);
      const degraded = await eventually(
        'the deployment is degraded',
        async () => {
          const detail = await cluster.detail();
          return detail.status === 'degraded' ? detail : null;
        },
        60_000,
      );
      const started = await cloud
        .runtime()
        .post(`${cluster.live}/activities/broker/start`, { nodes: [degraded.nodes[0]?.id] });
      await cluster.succeeds(started);
      await eventually('the deployment serves', async () => (await cluster.detail()).status === 'initialized', 60_000);
      const events = await cloud.rows<{ type: string }>(
        `select type from outbox where deployment_id = $1 and type in ('deployment_degraded', 'deployment_recovered') order by id`,
        [cluster.id],
      );
      return {
        expected: [
          'degraded',
          expect.stringMatching(/nodes are not in service/),
          'deployment_degraded',
          'deployment_recovered',
        ],
        got: [degraded.status, degraded['status_reason'], ...events.map(({ type }) => type)],
      };
    },
    240_000,
  );

  row('11', 'dedicated and the PROXY protocol are refused, because no driver does them', async () => {
    const order = { ...SHAPE, name: name(), dedicated: true };
    const dedicated = await cloud.main().post(`${cloud.environment}/deployments/managed`, order);
    const { features } = (await cloud.main().get(cluster.path)).body;
    const regions = (await cloud.main().get(`${cloud.tenant}/clouds/gcp/regions`)).body;
    return {
      expected: [{ status: 409, code: 'feature_unavailable' }, 'none', 'none', 'none'],
      got: [
        refusal(dedicated),
        features.dedicated,
        features.proxy_protocol,
        regions.find((region: { key: string }) => region.key === 'us-central1').features.proxy_protocol,
      ],
    };
  });

  row('14', 'the detail has the members of the list', async () => {
    const { tier, cluster: kind, supervisor_url, created_at } = (await cloud.main().get(cluster.path)).body;
    const { body } = await cloud.runtime().get(cluster.live);
    return {
      expected: { tier, cluster: kind, supervisor_url, created_at },
      got: {
        tier: body.tier,
        cluster: body.cluster,
        supervisor_url: body.supervisor_url,
        created_at: body.created_at,
      },
    };
  });

  row('15, 20', 'a taken name has the id, and a rejected peering blocks nothing', async () => {
    const first = await cloud.runtime().post(network('vpc_peering'), PEERING);
    await settled();
    const taken = await cloud.runtime().post(network('vpc_peering'), { ...PEERING, peer_vpc_cidr: '172.21.0.0/16' });
    await cloud.rows(`update private_connections set status = 'rejected' where kind = 'vpc_peering'`);
    const again = await cloud.runtime().post(network('vpc_peering'), { ...PEERING, name: name() });
    await settled();
    return {
      expected: [{ status: 409, code: 'name_taken' }, Number(first.headers.get('ld-peering')), 204],
      got: [refusal(taken), taken.body.id, again.status],
    };
  });

  row(
    '16',
    'a backup past its retention is hidden at once',
    async () => {
      const path = `${cluster.live}/backups`;
      await cluster.succeeds(await cloud.runtime().post(path, { name: name() }));
      const [backup] = (await cloud.runtime().get(path)).body;
      await cloud.rows(`update backups set expires_at = now() - interval '1 second' where id = $1`, [backup.id]);
      const listed = (await cloud.runtime().get(path)).body.map(({ id }: { id: number }) => id);
      const restore = await cloud.runtime().post(`${path}/${backup.id}/restore`);
      await settled();
      return {
        expected: [false, { status: 404, code: 'backup_not_found' }],
        got: [listed.includes(backup.id), refusal(restore)],
      };
    },
    240_000,
  );

  row('18', 'the configuration of the broker has no other name', async () => {
    const answer = await cloud.runtime().post(`${cluster.live}/configs/broker`, { name: 'alt', values: {} });
    return { expected: { status: 400, code: 'validation_failed' }, got: refusal(answer) };
  });

  row(
    '21',
    'nothing is added to a deployment from the request for its deletion on',
    async () => {
      const leaving = await TestDeployment.free(cloud);
      const deletion = await cloud.main().delete(leaving.path);
      const rule = { name: name(), cidr_blocks: ['10.0.0.0/8'], rules: { broker_tcp: true } };
      const answer = await cloud.runtime().post(`${leaving.live}/access_rules`, rule);
      await leaving.succeeds(deletion);
      return { expected: { status: 409, code: 'state_conflict' }, got: refusal(answer) };
    },
    240_000,
  );

  row(
    '22, 31',
    'a restore excludes a backup from its first second on, and the refusals say why',
    async () => {
      const path = `${cluster.live}/backups`;
      await cluster.succeeds(await cloud.runtime().post(path, { name: name() }));
      const [backup] = (await cloud.runtime().get(path)).body;
      const restore = await cloud.runtime().post(`${path}/${backup.id}/restore`);
      const [second, deletion] = [
        await cloud.runtime().post(path, { name: name() }),
        await cloud.runtime().delete(`${path}/${backup.id}`),
      ];
      await cluster.succeeds(restore);
      return {
        expected: [
          { status: 409, code: 'state_conflict' },
          'The backup is being restored. Delete it after the restore has ended.',
        ],
        got: [refusal(second), deletion.body.detail],
      };
    },
    240_000,
  );

  row('25, 26', 'the audit has a description only if there is one, and the sizes of nodes', async () => {
    const rule = { name: name(), cidr_blocks: ['10.0.0.0/8'], rules: { broker_tcp: true } };
    await cloud.runtime().post(`${cluster.live}/access_rules`, rule);
    await cloud.runtime().post(`${cluster.live}/access_rules`, { ...rule, name: name(), remarks: 'office' });
    const [second, first] = await audited('access_rule_added');
    const created = (await audited('deployment_created')).find(({ deployment }) => deployment.id === cluster.id);
    return {
      expected: [false, 'office', ['small', 'small', 'small']],
      got: [
        'description' in first.data,
        second.data.description,
        created.data.nodes.map(({ variant }: { variant: string }) => variant),
      ],
    };
  });

  row('32', 'a request without a key is told about keys alone', async () => {
    const { body } = await cloud.runtime(null).get(cluster.live);
    return { expected: ['unauthenticated', false], got: [body.code, /session/i.test(body.detail)] };
  });

  row('33', 'a start prints no warning about the API description', async () => {
    const warnings = [cloud.mainApi.log(), cloud.supervisor.log()].flatMap((log) =>
      log.split('\n').filter((line) => /Duplicate DTO/.test(line)),
    );
    return { expected: [], got: warnings };
  });

  row('keys', 'a key with other permissions gets 403, as the audit found on all 72 routes', async () => {
    const key = await given.key(cloud, { permissions: { environment: ['deployment:read'] } });
    const answers = [
      await cloud.runtime(key).get(`${cluster.live}/credentials`),
      await cloud.runtime(key).post(`${cluster.live}/tasks`, { type: 'broker:reconfigure' }),
    ];
    return { expected: [403, 403], got: answers.map(({ status }) => status) };
  });
});
