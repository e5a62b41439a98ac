import { DEPLOYMENT_STATES, statesBefore, type DeploymentStatus } from '@libs/domain';
import { given, WorkflowBench } from '@libs/testing';
import { RuntimesRepository } from './runtimes.repository.js';

const STATES = Object.keys(DEPLOYMENT_STATES) as DeploymentStatus[];
const MOVES = STATES.flatMap((from) =>
  STATES.map((to) => ({ from, to, isAllowed: from === to || statesBefore(to).includes(from) })),
);

describe('The status of a deployment', () => {
  let bench: WorkflowBench;
  let runtimes: RuntimesRepository;
  let id: number;

  beforeAll(async () => {
    bench = await WorkflowBench.open();
    runtimes = new RuntimesRepository(bench.database);
    const tenant = await given.tenant({
      rows: (text: string, values?: unknown[]) => bench.rows<any>(text, values),
    } as never);
    const [row] = await bench.rows<{ id: number }>(
      `insert into deployments (tenant_id, division_id, environment_id, name, code, variant, cloud, area, region, cell, tier, cluster,
         storage_type, storage_size, target_network_tput, network_scope, availability_mode, nodes_count, telemetry_days,
         monthly_compute, monthly_storage, pricing_version)
       values ($1, $2, $3, 'd', 'c', 'managed', 'aws', 'us', 'us-east-1', 'local', 'small', 'cluster',
         'network_balanced', 100, 1, 'same_region', 'single_az', 1, 14, 0, 0, '1') returning id`,
      [tenant.tenantId, tenant.divisionId, tenant.environmentId],
    );
    id = Number(row?.id);
    await bench.rows(
      `insert into deployment_runtimes (deployment_id, cell, status, peer_secret) values ($1, 'local', 'creating', '')`,
      [id],
    );
  });
  afterAll(() => bench.close());

  const status = async (): Promise<string> => {
    const [row] = await bench.rows<{ status: string }>(
      'select status from deployment_runtimes where deployment_id = $1',
      [id],
    );
    return row?.status ?? '';
  };

  it.each(MOVES)('change from $from to $to is allowed: $isAllowed', async ({ from, to, isAllowed }) => {
    await bench.rows('update deployment_runtimes set status = $2, deleted_at = null where deployment_id = $1', [
      id,
      from,
    ]);

    expect(await runtimes.move(id, to)).toBe(isAllowed);
    expect(await status()).toBe(isAllowed ? to : from);
  });

  it('does not change after the deployment is deleted', async () => {
    await bench.rows(
      `update deployment_runtimes set status = 'creating', deleted_at = now() where deployment_id = $1`,
      [id],
    );

    expect(await runtimes.move(id, 'deleting')).toBe(false);
    expect(await status()).toBe('creating');
  });
});
