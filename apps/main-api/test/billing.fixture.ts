import { LedgerRepository } from '@libs/persistence/ledger';
import { given, WorkflowBench } from '@libs/testing';

/** A shape and its price. Null: no shape any more. Money is in cents. */
export interface Priced {
  nodes: number;
  storageGb: number;
  computeCents: number;
  storageCents: number;
}

/** A metering entry of a workflow. */
export interface Metered {
  deploymentId: number;
  tenantId: number;
  key: string;
  at: number;
  shape: Priced | null;
}

export interface Transferred {
  deploymentId: number;
  tenantId: number;
  at: number;
  bytes: number;
  /** USD for one GB, in millionths. */
  microUsdPerGb: number;
}

export interface TestTenant {
  tenantId: number;
  divisionId: number;
  environmentId: number;
}

/** A database with open billing months, and the tenants and deployments that are charged in them. */
export class BillingBench {
  private names = 0;

  private constructor(readonly workflow: WorkflowBench) {}

  static async open(): Promise<BillingBench> {
    return new BillingBench(await WorkflowBench.open());
  }

  close(): Promise<void> {
    return this.workflow.close();
  }

  rows<Row extends object = Record<string, unknown>>(text: string, values: unknown[] = []): Promise<Row[]> {
    return this.workflow.rows<Row>(text, values);
  }

  /** Sets the first open month. All months before it are settled. */
  async openFrom(month: Date): Promise<void> {
    await this.rows('delete from billing_months');
    await this.rows(
      `insert into billing_months (month, settled_at)
       select (date_trunc('month', $1::timestamptz at time zone 'utc') - interval '1 month')::date, now()`,
      [month.toISOString()],
    );
  }

  tenant(): Promise<TestTenant> {
    return given.tenant({ rows: (text, values) => this.workflow.rows(text, values) });
  }

  async division({ tenantId }: TestTenant): Promise<TestTenant> {
    const [division] = await this.rows(`insert into divisions (tenant_id, name) values ($1, $2) returning id`, [
      tenantId,
      `division ${(this.names += 1)}`,
    ]);
    const [environment] = await this.rows(
      `insert into environments (tenant_id, division_id, name) values ($1, $2, 'sandbox') returning id`,
      [tenantId, division?.['id']],
    );
    return { tenantId, divisionId: Number(division?.['id']), environmentId: Number(environment?.['id']) };
  }

  async deployment({ tenantId, divisionId, environmentId }: TestTenant): Promise<number> {
    const name = `d${(this.names += 1)}`;
    const [row] = await this.rows<{ id: string }>(
      `with made as (
         insert into deployments (tenant_id, division_id, environment_id, name, code, variant, cloud, area, region, cell, tier,
           cluster, storage_type, storage_size, target_network_tput, network_scope, availability_mode, nodes_count,
           telemetry_days, monthly_compute, monthly_storage, pricing_version)
         values ($1, $2, $3, $4, 'c-' || $4, 'managed', 'aws', 'us', 'r', 'local', 'small', 'standalone', 'network_balanced', 100,
           100, 'same_region', 'single_az', 1, 14, 1, 1, '1') returning id
       )
       insert into deployment_runtimes (deployment_id, cell, status, peer_secret) select id, 'local', 'initialized', '' from made
       returning deployment_id as id`,
      [tenantId, divisionId, environmentId, name],
    );
    return Number(row?.id);
  }

  /** Writes through the repository of the ledger. A second entry with the same key is a retry of the workflow. */
  async meter({ deploymentId, tenantId, key, at, shape }: Metered): Promise<void> {
    await new LedgerRepository(this.workflow.database).insertMetering({
      event_key: key,
      tenant_id: tenantId,
      deployment_id: deploymentId,
      effective_at: new Date(at),
      shape: shape && shapeOf(shape),
      monthly_compute_usd: dollars(shape?.computeCents ?? 0),
      monthly_storage_usd: dollars(shape?.storageCents ?? 0),
      pricing_version: '1',
    });
  }

  async transfer({ deploymentId, tenantId, at, bytes, microUsdPerGb }: Transferred): Promise<void> {
    await this.rows(
      `insert into metering_transfers (tenant_id, deployment_id, effective_at, bytes, usd_per_gb, pricing_version)
       values ($1, $2, $3, $4, $5::numeric / 1000000, '1')`,
      [tenantId, deploymentId, new Date(at).toISOString(), bytes, microUsdPerGb],
    );
  }

  /** Sets the row as the last step of a deletion does. */
  async deleted(deploymentId: number, at: number): Promise<void> {
    await this.rows('update deployment_runtimes set deleted_at = $2 where deployment_id = $1', [
      deploymentId,
      new Date(at).toISOString(),
    ]);
  }
}

export const dollars = (cents: number): string => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;

const shapeOf = ({ nodes, storageGb }: Priced): object => ({
  cloud: 'aws',
  region: 'r',
  tier: 'small',
  managed_tier: 'standard',
  nodes,
  storage_type: 'network_balanced',
  storage_size: storageGb,
});
