import { apiKeyId, hashApiKey } from '@libs/domain';
import { NodeDocumentsRepository } from '@libs/persistence/runtime';
import { CellCommands } from './cell-commands.js';
import { IncidentCommands } from './incident-commands.js';
import { InvoiceAgreementCommands } from './invoice-agreement-commands.js';
import { KeyCommands } from './key-commands.js';
import { NodeCommands } from './node-commands.js';
import { OperationCommands } from './operation-commands.js';
import { ResourceCommands } from './resource-commands.js';
import { OperatorRefused } from './operator-refused.js';
import { OperatorSession } from './operator-session.js';
import { OperatorBench, TRACE } from '../test/operator.fixture.js';
import { TenantCommands } from './tenant-commands.js';

describe('Operator commands', () => {
  let bench: OperatorBench;

  beforeAll(async () => {
    bench = await OperatorBench.open();
  });
  afterAll(() => bench.close());
  // Triggers protect the audit from TRUNCATE. They do not run in the replica role.
  beforeEach(() =>
    bench.rows(`begin; set local session_replication_role = replica; truncate operator_actions, audit_entries; commit`),
  );

  it('list the cloud resources of a deployment, and those whose last call was refused', async () => {
    const [{ deploymentId }, other] = [await bench.deployment('listed-resources'), await bench.deployment('others')];
    await bench.rows(
      `insert into cloud_resources (kind, name, deployment_id, driver, cloud, region, intent, error)
       values ('network', 'net', $1, 'local', 'aws', 'us-east-1', 'present', null),
              ('node', 'one', $1, 'machines', 'aws', 'us-east-1', 'present', 'no machine'),
              ('node', 'two', $2, 'machines', 'aws', 'us-east-1', 'present', 'no machine')`,
      [deploymentId, other.deploymentId],
    );
    const commands = new ResourceCommands(bench.session);
    const names = async (isRefused: boolean, limit = 50) =>
      (await commands.list({ deploymentId, isRefused, limit })).map(({ name }) => name);

    expect([await names(false), await names(true), await names(false, 1)]).toEqual([['net', 'one'], ['one'], ['net']]);
  });

  describe('for operations', () => {
    const filter = { tenantId: null, deploymentId: null, status: null, type: null, limit: 50 };

    it('list operations by their attributes', async () => {
      const { deploymentId } = await bench.deployment('listed');
      const id = await bench.operation('provision_deployment', 'creating_subnet', deploymentId);
      const commands = new OperationCommands(bench.session);

      const operations = await commands.list({ ...filter, tenantId: bench.tenantId, deploymentId, status: 'running' });
      const others = await commands.list({ ...filter, tenantId: bench.tenantId + 1 });

      expect(operations).toMatchObject([{ id, step: 'creating_subnet', attempt: 3, last_error: 'it rains' }]);
      expect(others).toEqual([]);
      expect(await commands.list({ ...filter, limit: 0 })).toEqual([]);
    });

    it('show an operation with its steps and its incident', async () => {
      const id = await bench.operation('provision_deployment', 'creating_subnet');
      await bench.rows(
        `insert into operation_steps (operation_id, seq, name, status, attempts, finished_at) values ($1, 1, 'creating', 'succeeded', 1, now())`,
        [id],
      );
      const [incident] = await bench.rows<{ id: string }>(
        `insert into incidents (kind, subject, detail) values ('deadline_missed', $1, 'late') returning id`,
        [`operation ${id}`],
      );
      await bench.rows('update operations set incident_id = $2 where id = $1', [id, incident?.id]);

      const detail = await new OperationCommands(bench.session).get(id);

      expect(detail.steps).toMatchObject([{ name: 'creating', status: 'succeeded' }]);
      expect(detail.incident).toMatchObject({ kind: 'deadline_missed', detail: 'late', closed_at: null });
    });

    it.each([
      ['retry', 'operation_retried', { attempt: 0, skip_step: null, cancel_reason: null }],
      ['skip', 'operation_step_skipped', { attempt: 3, skip_step: 'creating_subnet', cancel_reason: null }],
      ['cancel', 'operation_cancelled', { attempt: 3, skip_step: null, cancel_reason: 'asked to' }],
    ] as const)('%s an operation and record it in the same transaction', async (act, audit, row) => {
      const { deploymentId } = await bench.deployment(act);
      const id = await bench.operation('provision_deployment', 'creating_subnet', deploymentId);
      const commands = new OperationCommands(bench.session);

      await (act === 'cancel' ? commands.cancel(id, 'asked to') : commands[act](id));

      const [now] = await bench.rows(
        'select attempt, skip_step, cancel_reason, wake_at <= now() as due from operations where id = $1',
        [id],
      );
      expect(now).toEqual({ ...row, due: true });
      expect(await bench.actions()).toEqual([
        { operator: 'ada@engine', verb: `operations ${act}`, subject: `operation ${id}` },
      ]);
      expect(await bench.audit()).toMatchObject([
        {
          type: audit,
          author_name: 'operator',
          deployment_name: act,
          data: { operation_id: id, step: 'creating_subnet' },
        },
      ]);
    });

    it('refuse an impossible request and record nothing', async () => {
      const id = await bench.operation('provision_deployment', 'creating_subnet');
      await bench.rows(`update operations set status = 'succeeded' where id = $1`, [id]);
      const commands = new OperationCommands(bench.session);

      await expect(commands.retry(id)).rejects.toThrow(OperatorRefused);
      await expect(commands.get(999_999)).rejects.toThrow('There is no operation 999999');
      expect(await bench.actions()).toEqual([]);
    });
  });

  describe('for keys', () => {
    it('restore access to an installation whose first key was lost', async () => {
      const key = await new KeyCommands(bench.session).issue({
        tenantId: bench.tenantId,
        role: 'Owner',
        name: 'back',
        days: 7,
      });

      const [row] = await bench.rows<{ secret_hash: Buffer; user: string; days: number }>(
        `select k.secret_hash, u.email as user, round(extract(epoch from k.expiry_at - now()) / 86400)::int as days
           from api_keys k join users u on u.id = k.user_id where k.id = $1`,
        [key.id],
      );
      expect(apiKeyId(key.secret)).toBe(key.id);
      expect(row?.secret_hash.equals(hashApiKey(key.secret))).toBe(true);
      expect(row).toMatchObject({ user: 'owner@landlord.local', days: 7 });
      expect(await bench.audit()).toMatchObject([
        { type: 'api_key_created', data: { name: 'back', role_id: key.role_id } },
      ]);
      const written = JSON.stringify(await bench.rows('select * from operator_actions, audit_entries'));
      expect(written).not.toContain(key.secret);
    });

    it('revoke a key', async () => {
      const commands = new KeyCommands(bench.session);
      const { id } = await commands.issue({ tenantId: bench.tenantId, role: 'viewer', name: 'lost', days: 1 });

      await commands.revoke(id);

      expect((await commands.list(bench.tenantId)).map((key) => key.id)).not.toContain(id);
      expect(await bench.audit()).toMatchObject([{ type: 'api_key_created' }, { type: 'api_key_deleted' }]);
      await expect(commands.revoke(id)).rejects.toThrow(`There is no key ${id}`);
    });

    it.each([
      [{ days: 0 }, 'is valid for 1 to 365 days'],
      [{ days: 366 }, 'is valid for 1 to 365 days'],
      [{ role: 'emperor' }, 'no role named emperor'],
      [{ tenantId: 77 }, 'no tenant 77'],
    ])('refuse %j', async (options, message) => {
      const whole = { tenantId: bench.tenantId, role: 'owner', name: 'x', days: 1, ...options };

      await expect(new KeyCommands(bench.session).issue(whole)).rejects.toThrow(message);
    });
  });

  describe('for tenants', () => {
    beforeEach(async () => {
      const id = bench.tenantId;
      await bench.rows(`update tenants set plan = 'enterprise', plan_overrides = '{}' where id = $1`, [id]);
      await bench.rows('delete from mails');
      await bench.rows('delete from payment_methods');
      await bench.rows('delete from invoice_agreements');
      await bench.rows(`insert into payment_methods (tenant_id, provider) values ($1, 'manual')`, [id]);
      await bench.rows(`insert into invoice_agreements (tenant_id, granted_by) values ($1, 'installation')`, [id]);
    });

    const planOf = async () =>
      (await bench.rows('select plan, plan_overrides from tenants where id = $1', [bench.tenantId]))[0];

    it('set a plan, and add overrides', async () => {
      const commands = new TenantCommands(bench.session);

      await commands.setPlan(bench.tenantId, 'basic', ['members_limit=50', 'byoc_enabled=true', 'deployments.small=7']);
      await commands.setPlan(bench.tenantId, 'pro', ['members_limit=', 'roles_limit=9', 'enterprise_terms=true']);

      expect(await planOf()).toEqual({
        plan: 'pro',
        plan_overrides: {
          limits: { roles_limit: 9 },
          flags: { byoc_enabled: true },
          deployment_tiers: { small: 7 },
          enterprise_terms: true,
        },
      });
      expect(await bench.audit()).toMatchObject([
        { type: 'tenant_plan_changed', data: { from_plan: 'enterprise', to_plan: 'basic' } },
        { type: 'tenant_plan_changed', data: { from_plan: 'basic', to_plan: 'pro' } },
      ]);
    });

    it('grant and revoke an invoice agreement, each once, and mail the owner about the revocation', async () => {
      const commands = new InvoiceAgreementCommands(bench.session);
      const id = bench.tenantId;
      const state = async () => (await new TenantCommands(bench.session).get(id)).invoice_agreement;
      const method = () => bench.rows('select provider from payment_methods where tenant_id = $1', [id]);
      const mails = () => bench.rows('select recipient from mails');
      expect([await state(), await method()]).toEqual(['installation', [{ provider: 'manual' }]]);

      await commands.revoke(id);
      expect([await state(), await method(), await mails()]).toEqual([
        ...[null, [], [{ recipient: bench.installation.owner_email }]],
      ]);
      await expect(commands.revoke(id)).rejects.toThrow('has no invoice agreement');
      await commands.grant(id);
      expect([await state(), await method()]).toEqual(['operator', [{ provider: 'manual' }]]);
      await expect(commands.grant(id)).rejects.toThrow('already has an invoice agreement');
      await expect(commands.grant(77)).rejects.toThrow('no tenant 77');

      expect(await mails()).toHaveLength(1);
      expect(await bench.audit()).toMatchObject([
        { type: 'invoice_agreement_revoked', data: { provider: 'manual' } },
        { type: 'invoice_agreement_granted' },
      ]);
      expect((await bench.actions()).map(({ verb }) => verb)).toEqual([
        'tenants invoice-agreement revoke',
        'tenants invoice-agreement grant',
      ]);
    });

    it('keep a card as the payment method', async () => {
      const commands = new InvoiceAgreementCommands(bench.session);
      const method = () => bench.rows('select provider from payment_methods where tenant_id = $1', [bench.tenantId]);
      await bench.rows(`update payment_methods set provider = 'card' where tenant_id = $1`, [bench.tenantId]);

      await commands.revoke(bench.tenantId);
      expect(await method()).toEqual([{ provider: 'card' }]);
      await commands.grant(bench.tenantId);
      expect(await method()).toEqual([{ provider: 'card' }]);

      await bench.rows(`update payment_methods set provider = 'manual' where tenant_id = $1`, [bench.tenantId]);
    });

    it('list tenants by the granter of their agreement', async () => {
      const commands = new TenantCommands(bench.session);
      await bench.rows(`update invoice_agreements set granted_by = 'kept' where tenant_id = $1`, [bench.tenantId]);
      expect((await commands.list('kept')).map(({ id }) => id)).toEqual([bench.tenantId]);
      expect(await commands.list('operator')).toEqual([]);

      await bench.rows('delete from invoice_agreements where tenant_id = $1', [bench.tenantId]);
      expect((await commands.list('unknown')).map(({ id }) => id)).toEqual([bench.tenantId]);
      expect(await commands.list()).toHaveLength(1);
    });

    it.each([
      [['members_limit=many'], 'members_limit=many: not a valid override'],
      [['beds_limit=3', 'byoc_enabled=1'], 'beds_limit=3, byoc_enabled=1: not a valid override'],
      [['small=3'], 'small=3: not a valid override'],
    ])('refuse %j and change nothing', async (overrides, message) => {
      const before = await planOf();

      await expect(new TenantCommands(bench.session).setPlan(bench.tenantId, 'basic', overrides)).rejects.toThrow(
        message,
      );
      await expect(new TenantCommands(bench.session).setPlan(bench.tenantId, 'gold', [])).rejects.toThrow('basic, pro');

      expect(await planOf()).toEqual(before);
    });
  });

  it('drain and resume a cell, each once', async () => {
    await bench.rows(
      `insert into cells (cell, url, agent_url, regions, cloud_drivers, broker_driver, broker_version, version)
       values ('far', 'http://x', 'http://x', '{*}', '{}', 'embedded', '1', '1')`,
    );
    const commands = new CellCommands(bench.session);

    expect((await commands.drain('far')).drained_at).toBeInstanceOf(Date);
    await expect(commands.drain('far')).rejects.toThrow('Cell far is already drained');
    expect((await commands.resume('far')).drained_at).toBeNull();

    await expect(commands.resume('far')).rejects.toThrow('is not drained');
    await expect(commands.drain('farther')).rejects.toThrow('There is no cell farther');
    expect((await bench.actions()).map(({ verb }) => verb)).toEqual(['cells drain', 'cells resume']);
  });

  it('forget a cell that is gone and has nothing, and no other', async () => {
    await bench.deployment('of-the-cell');
    const cell = 'local';
    await bench.rows(`insert into cells (cell, url, agent_url, regions, cloud_drivers, broker_driver, broker_version, version, seen_at)
       values ('local', 'http://x', 'http://x', '{*}', '{}', 'embedded', '1', '1', now() - interval '1 day') on conflict (cell) do update set seen_at = excluded.seen_at`);
    await bench.rows(
      `insert into cells (cell, url, agent_url, regions, cloud_drivers, broker_driver, broker_version, version)
       values ('gone', 'http://x', 'http://x', '{*}', '{}', 'embedded', '1', '1')`,
    );
    const commands = new CellCommands(bench.session);
    const cells = async (): Promise<string[]> => (await commands.list()).map((row) => row.cell);

    await expect(commands.forget('gone')).rejects.toThrow('Cell gone is alive');
    await expect(commands.forget(cell)).rejects.toThrow(/has \d+ deployments/);
    await expect(commands.forget('never')).rejects.toThrow('There is no cell never');
    await bench.rows(`update cells set seen_at = now() - interval '61 seconds' where cell = 'gone'`);
    await commands.forget('gone');

    expect(await cells()).not.toContain('gone');
    expect(await cells()).toContain(cell);
    expect((await bench.actions()).map(({ verb }) => verb)).toContain('cells forget');
  });

  it('stop the broker of a node with a new document, and start it with the next', async () => {
    const { nodeId } = await bench.deployment('drained');
    const { database, secrets } = bench.session;
    const documents = new NodeDocumentsRepository(database, secrets);
    const wanted = async () => {
      const document = await documents.find(nodeId);
      return [document?.generation, document?.spec.broker.want];
    };
    const commands = new NodeCommands(bench.session);

    expect(await wanted()).toEqual([1, 'running']);
    await commands.drain(nodeId);
    expect(await wanted()).toEqual([2, 'stopped']);
    await database.transaction(() => documents.publish(nodeId, TRACE));
    expect(await wanted()).toEqual([2, 'stopped']);
    await commands.resume(nodeId);
    expect(await wanted()).toEqual([3, 'running']);

    expect(await bench.audit()).toMatchObject([
      { type: 'node_drained', deployment_name: 'drained', data: { node_id: nodeId } },
      { type: 'node_resumed' },
    ]);
  });

  it('close an incident once', async () => {
    const [row] = await bench.rows<{ id: string }>(
      `insert into incidents (kind, subject, detail) values ('stranger', 'node 9', 'unknown') returning id`,
    );
    const commands = new IncidentCommands(bench.session);
    const id = Number(row?.id);

    expect((await commands.list(false)).map((incident) => incident.id)).toContain(id);
    await commands.close(id);

    expect((await commands.list(false)).map((incident) => incident.id)).not.toContain(id);
    expect((await commands.list(true)).map((incident) => incident.id)).toContain(id);
    await expect(commands.close(id)).rejects.toThrow('already closed');
  });

  it('are refused on an older schema, with the action to take', async () => {
    const [last] = await bench.rows<{ id: number; timestamp: string; name: string }>(
      'delete from migrations where id = (select max(id) from migrations) returning *',
    );

    const opening = OperatorSession.open({ databaseUrl: bench.url, secretKeys: bench.keys, operator: 'x' });

    await expect(opening).rejects.toThrow(/missing migrations: .*landlord migrate/);
    await bench.rows('insert into migrations (timestamp, name) values ($1, $2)', [last?.timestamp, last?.name]);
  });
});
