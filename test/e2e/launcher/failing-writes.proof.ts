import { appendFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrokerDriver } from '@libs/domain';
import {
  describeWithNats,
  eventually,
  FailingWrites,
  MailFolder,
  nodeProcesses,
  type ApiAnswer,
  type Suite,
  type WriteRefusal,
} from '@libs/testing';
import { connectTo, MqttTraffic } from './mqtt-traffic.fixture.js';
import { runLandlord } from './run-landlord.js';
import { RunningLandlord, type OpenDeployment } from './running-landlord.fixture.js';

const LOG_LIMIT_BYTES = 32 * 1024 * 1024;
const SETUP_MS = 5 * 60_000;
const ROUND_MS = 3 * 60_000;
/** The processes of nats are others: nats-server and its gate. */
const TABLE: { suite: Suite; broker: BrokerDriver; codes: WriteRefusal[] }[] = [
  { suite: describe, broker: 'embedded', codes: ['EIO', 'EROFS', 'EACCES', 'ENOSPC'] },
  { suite: describeWithNats, broker: 'nats', codes: ['EIO', 'EROFS'] },
];

/**
 * Every process of `landlord start` that runs on Node, while the file system refuses each of their writes: files, logs and their
 * rotation. PostgreSQL and the store of the broker write on, because a full disk is another proof (full-disk.proof.ts).
 */
for (const { suite, broker, codes } of TABLE)
  suite(`An installation with ${broker} whose files cannot be written`, () => {
    let directory: string;
    let writes: FailingWrites;
    let landlord: RunningLandlord;
    let deployment: OpenDeployment;
    let traffic: MqttTraffic;
    let mails: MailFolder;
    let before: number[];
    /** They write something every few seconds. A broker and a gate write one line a minute at most. */
    let busy: number[];
    /** nats-server is no program of Node. */
    let servers: number[];
    const refused = new Set<number>();

    beforeAll(async () => {
      directory = mkdtempSync(join(tmpdir(), 'landlord-refused-'));
      const dataDirectory = join(directory, 'data');
      writes = new FailingWrites(dataDirectory, join(directory, 'notes'));
      landlord = await RunningLandlord.start({ dataDirectory, broker, settings: writes.environment });
      mails = new MailFolder(dataDirectory);
      const plan = await runLandlord(
        { LANDLORD_DATA_DIR: dataDirectory },
        ...[
          'ops',
          'tenants',
          'set-plan',
          String(landlord.bootstrap.tenant_id),
          'enterprise',
          '--override',
          'deployment_backups_limit=50',
        ],
      );
      expect(plan).toMatchObject({ code: 0 });
      deployment = await landlord.createDeployment();
      traffic = await MqttTraffic.start(deployment.endpoints, deployment.login);
      await traffic.flows();
      before = await landlord.processes();
      const nodes = await nodeProcesses(landlord.installation);
      const quiet = nodes.filter(({ kind }) => kind !== 'agent').map(({ pid }) => pid);
      busy = before.filter((pid) => !quiet.includes(pid));
      servers = nodes.filter(({ kind }) => kind === 'broker' && broker !== 'embedded').map(({ pid }) => pid);
    }, SETUP_MS);
    afterAll(async () => {
      writes.end();
      await traffic?.stop();
      await landlord?.stop();
      rmSync(directory, { recursive: true, force: true });
    }, SETUP_MS);

    const signUp = (address: string): Promise<ApiAnswer> =>
      landlord.main.post('/account/sign_up', { email: address, password: 'a long enough password 7', name: 'Ada' });
    const backup = (name: string): Promise<ApiAnswer> =>
      landlord.runtime.post(`/deployments/${deployment.id}/backups`, { name });
    const rule = (name: string): Promise<ApiAnswer> =>
      landlord.runtime.post(`/deployments/${deployment.id}/access_rules`, {
        ...{ name, cidr_blocks: ['10.0.0.0/8'], rules: { broker_tcp: true } },
      });
    const order = (name: string): Promise<ApiAnswer> => {
      const { tenant_id: tenant, division_id: division, environment_id: environment } = landlord.bootstrap;
      return landlord.main.post(
        `/tenants/${tenant}/divisions/${division}/environments/${environment}/deployments/managed`,
        { name, ...{ cloud: 'aws', region: 'us-east-1', tier: 'small', managed_tier: 'standard', cluster: 'cluster' } },
      );
    };

    it.each(codes)(
      'loses no process to %s, and continues by itself',
      async (code) => {
        const name = code.toLowerCase();
        const log = landlord.path('logs/main-api.log');
        const rotated = landlord.path('logs/main-api.log.1');
        rmSync(rotated, { force: true });
        appendFileSync(log, `${'x'.repeat(1023)}\n`.repeat(33 * 1024));
        writes.begin(code);

        for (const api of [landlord.main, landlord.runtime]) {
          const answer = await api.get('/health/ready');
          expect(answer).toBeProblem('storage_full', { status: 503, retryable: true });
          expect(JSON.stringify(answer.body)).not.toContain(directory);
        }
        const answers = [await signUp(`${name}@ada.example`), await rule(name), await order(name), await backup(name)];
        for (const answer of answers) expectServed(answer);
        await subscribeAsGroup(deployment);
        await eventually(
          () => `each process that writes meets the refusal: ${JSON.stringify([...writes.refused()])}`,
          () => {
            for (const pid of writes.refused().keys()) refused.add(pid);
            return busy.every((pid) => writes.refused().has(pid));
          },
        );
        await traffic.flows();
        expect(await landlord.processes()).toEqual(expect.arrayContaining(before));
        expect(await mails.to(`${name}@ada.example`)).toEqual([]);
        writes.end();

        for (const api of [landlord.main, landlord.runtime])
          await eventually('it is ready', async () => (await api.get('/health/ready')).status === 200);
        await eventually('the log is rotated', () => statSync(log).size < LOG_LIMIT_BYTES);
        await eventually('the mail arrives', async () => (await mails.to(`${name}@ada.example`)).length === 1);
        const [, , created, taken] = answers;
        if (created?.headers.has('ld-operation')) await landlord.succeeds(created);
        if (taken?.headers.has('ld-operation')) await landlord.succeeds(taken);
        await landlord.succeeds(await backup(`${name} again`));
        await traffic.flows();
        expect(await landlord.processes()).toEqual(expect.arrayContaining(before));
        expect(traffic.interruptions).toEqual([]);
        expect(landlord.output).not.toContain('Stopping');
        expect(landlord.output).not.toContain('stopped (');
      },
      ROUND_MS,
    );

    it('has refused a write of every process, and no message is missing', async () => {
      expect(before.filter((pid) => !refused.has(pid))).toEqual(servers);
      expect(await traffic.missing()).toEqual([[]]);
    });
  });

/** The answer of a success, or the one that says that the client may repeat it later. */
function expectServed(answer: ApiAnswer): void {
  if (answer.status < 300) return;
  expect(answer).toBeProblem('storage_full', { status: 503, retryable: true });
}

/** The broker, or its gate, writes a line about it to its log. */
async function subscribeAsGroup({ endpoints: [endpoint = ''], login }: OpenDeployment): Promise<void> {
  const client = await connectTo(endpoint, login);
  await client.subscribeAsync('$share/group/topic').catch(() => undefined);
  await client.endAsync(true);
}
