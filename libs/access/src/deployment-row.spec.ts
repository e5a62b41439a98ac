import { hashSession, mintSession } from '@libs/domain';
import { DeploymentsRepository } from '@libs/persistence/organization';
import { ApiKeyUsesRepository, CallersRepository, SessionCallersRepository } from '@libs/persistence/platform';
import { given, WorkflowBench } from '@libs/testing';
import { AccessCallerStore } from './access-caller-store.js';
import { AccessSessionStore } from './access-session-store.js';
import { ApiKeyUses } from './api-key-uses.js';

const WITH_ROW = { deployment: true };
const WITHOUT_ROW = { deployment: false };

describe('The row of the addressed deployment, from the statement that finds the caller', () => {
  let bench: WorkflowBench;
  let owner: Awaited<ReturnType<typeof given.tenant>>;
  let callers: AccessCallerStore;
  let sessions: AccessSessionStore;
  let deploymentId: number;
  let key: string;
  let token: string;
  const cloud = (): never => ({ rows: bench.rows.bind(bench), installation: {} }) as never;

  beforeAll(async () => {
    bench = await WorkflowBench.open();
    owner = await given.tenant(cloud());
    callers = new AccessCallerStore(
      new CallersRepository(bench.database),
      new ApiKeyUses(new ApiKeyUsesRepository(bench.database)),
    );
    sessions = new AccessSessionStore(new SessionCallersRepository(bench.database));
    key = await given.key(cloud(), { tenantId: owner.tenantId });
    deploymentId = await insertDeployment();
    token = await insertSession();
  });
  afterAll(() => bench.close());

  async function insertDeployment(): Promise<number> {
    const [row] = await bench.rows<{ id: number }>(
      `insert into deployments (tenant_id, division_id, environment_id, name, code, variant, cloud, area, region, cell, tier, cluster,
         storage_type, storage_size, target_network_tput, network_scope, availability_mode, nodes_count, telemetry_days,
         monthly_compute, monthly_storage, pricing_version, spend_limit, description, upgraded_at, features)
       values ($1, $2, $3, 'd', 'c', 'managed', 'aws', 'us', 'us-east-1', 'north', 'small', 'cluster',
         'network_balanced', 100, 1, 'same_region', 'single_az', 1, 14, 186.10, 999999999999.99, '1', 12.5,
         '<b>"ünïcode"</b>', '2026-11-03 04:05:06.789', '{"backups": "full"}') returning id`,
      [owner.tenantId, owner.divisionId, owner.environmentId],
    );
    const id = Number(row?.id);
    await bench.rows(
      `insert into deployment_runtimes (deployment_id, cell, status, peer_secret) values ($1, 'north', 'creating', '')`,
      [id],
    );
    return id;
  }

  async function insertSession(): Promise<string> {
    const [next] = await bench.rows<{ id: string }>(`select nextval(pg_get_serial_sequence('sessions', 'id')) as id`);
    const minted = mintSession(Number(next?.id));
    await bench.rows(
      `insert into sessions (id, user_id, token_hash, address, expires_at, last_seen_at) overriding system value
       select $1, owner_id, $2, '127.0.0.1', now() + interval '1 hour', now() from tenants where id = $3`,
      [next?.id, hashSession(minted), owner.tenantId],
    );
    return minted;
  }

  const path = () => ({
    ...{ tenantId: owner.tenantId, divisionId: owner.divisionId, environmentId: owner.environmentId },
    deploymentId,
  });
  const findRow = () =>
    new DeploymentsRepository(bench.database).find(owner.tenantId, owner.environmentId, deploymentId);

  it('is the row that the deployments themselves return, for a key and for a session', async () => {
    const row = await findRow();

    expect(row).toMatchObject({ monthly_storage: '999999999999.99', spend_limit: '12.50' });
    expect((await callers.resolve(key, path(), WITH_ROW))?.deploymentRow).toEqual(row);
    expect((await sessions.resolve(token, path(), WITH_ROW))?.deploymentRow).toEqual(row);
  });

  it('is only read for a route that asks for the row', async () => {
    expect((await callers.resolve(key, path(), WITHOUT_ROW))?.deploymentRow).toBeNull();
    expect((await sessions.resolve(token, path(), WITHOUT_ROW))?.deploymentRow).toBeNull();
  });

  it('is never read for a key of another tenant, or for a session outside the tenant', async () => {
    const other = await given.tenant(cloud());
    const stranger = await given.key(cloud(), { tenantId: other.tenantId });
    const resolved = await callers.resolve(stranger, path(), WITH_ROW);

    expect(resolved).toMatchObject({ ancestry: { deployment: null }, deploymentRow: null });
    expect(await sessions.resolve(token, { ...path(), tenantId: other.tenantId }, WITH_ROW)).toMatchObject({
      ancestry: { deployment: null },
      deploymentRow: null,
    });
  });

  it('is not read after the deployment is deleted', async () => {
    await bench.rows('update deployment_runtimes set deleted_at = now() where deployment_id = $1', [deploymentId]);
    try {
      expect((await callers.resolve(key, path(), WITH_ROW))?.deploymentRow).toBeNull();
    } finally {
      await bench.rows('update deployment_runtimes set deleted_at = null where deployment_id = $1', [deploymentId]);
    }
  });
});
