import { Inject, Injectable } from '@nestjs/common';
import { Catalog, type ManagedTier } from '@libs/catalog';
import { DomainError, findGrant, requireFreeName, type Precondition } from '@libs/domain';
import { requireUnchanged, type ActingCaller } from '@libs/http';
import { Ledger } from '@libs/ledger';
import {
  DeploymentsRepository,
  type DeploymentDetailRow,
  type DeploymentSettings,
} from '@libs/persistence/organization';
import { MAIN_API_CONFIG, type MainApiConfig } from '../../config.js';
import { TenantEntitlements } from '../../tenants/index.js';
import type { ChangeRetentionDto, SpendLimitDto, UpdateDeploymentDto } from '../dto/change-deployment.dto.js';
import type { DeploymentView } from '../dto/deployment.view.js';
import { retentionAboveMaximum } from '../create/managed-rules.js';
import { toDetailView, viewContext, type ViewContext } from '../to-deployment-view.js';

/** Members that change on their own, between the GET and the PUT of a client. */
const LIVE_MEMBERS = [
  'status',
  'status_reason',
  'operation_id',
  'can_upgrade',
  'supervisor_url',
  'supervisor_reachable',
  'last_report_at',
  'protocols',
  'clients',
  'updated_at',
] as const;

type Setting = keyof DeploymentSettings;

/** The audit record names the changed members like their columns. */
const SETTINGS: Setting[] = [
  'name',
  'description',
  'protected',
  'spend_limit',
  'telemetry_days',
  'telemetry_days_explicit',
];

/** Changes of a deployment that do not change its nodes. */
@Injectable()
export class DeploymentChanges {
  private readonly context: ViewContext;

  constructor(
    private readonly deployments: DeploymentsRepository,
    private readonly catalog: Catalog,
    private readonly ledger: Ledger,
    private readonly entitlements: TenantEntitlements,
    @Inject(MAIN_API_CONFIG) config: MainApiConfig,
  ) {
    this.context = viewContext(config);
  }

  /** @throws DomainError deployment_not_found, precondition_failed, validation_failed */
  async update(actor: ActingCaller, dto: UpdateDeploymentDto, precondition: Precondition): Promise<DeploymentView> {
    // Creations take the same lock before they look for the name.
    if (dto.name !== undefined) await this.entitlements.lock(actor.tenantId);
    const row = await this.lock(actor, precondition);
    requireUnchanged(dto, toDetailView(row, this.context), LIVE_MEMBERS);
    const { name = row.name, description = row.description, protected: isProtected = row.protected } = dto;
    if (name !== row.name) await this.requireFreeName(actor, row, name);
    return this.change(actor, row, { name, description, protected: isProtected });
  }

  /** @throws DomainError deployment_not_found, precondition_failed */
  async limitSpend(
    actor: ActingCaller,
    { spend_limit: limit }: SpendLimitDto,
    precondition: Precondition,
  ): Promise<DeploymentView> {
    const row = await this.lock(actor, precondition);
    return this.change(actor, row, { spend_limit: limit === null ? null : limit.toFixed(2) });
  }

  /**
   * From now on the days are explicit: a change of terms keeps them.
   * @throws DomainError deployment_not_found, precondition_failed, retention_above_maximum
   */
  async retain(
    actor: ActingCaller,
    { retention }: ChangeRetentionDto,
    precondition: Precondition,
  ): Promise<DeploymentView> {
    const row = await this.lock(actor, precondition);
    const maximum = this.catalog.telemetryDays(row.managed_tier as ManagedTier | null);
    if (retention.telemetry_days > maximum) throw retentionAboveMaximum(maximum);
    return this.change(actor, row, { telemetry_days: retention.telemetry_days, telemetry_days_explicit: true });
  }

  private async lock(actor: ActingCaller, precondition?: Precondition): Promise<DeploymentDetailRow> {
    const row = await this.deployments.findForUpdate(actor.tenantId, actor.environment.id, actor.deployment.id);
    if (!row) throw new DomainError('deployment_not_found', 'No such deployment.');
    precondition?.require(toDetailView(row, this.context));
    return row;
  }

  /** @throws DomainError name_taken */
  private async requireFreeName(actor: ActingCaller, row: DeploymentDetailRow, name: string): Promise<void> {
    const id = await this.deployments.findIdByName(actor.tenantId, row.environment_id, name);
    const scope = { divisionId: row.division_id, environmentId: row.environment_id };
    requireFreeName('deployment', name, {
      id,
      own: row.id,
      isReadable: () => findGrant(actor.caller.holding, 'deployment:read', scope) !== null,
    });
  }

  private async change(
    actor: ActingCaller,
    row: DeploymentDetailRow,
    changes: Partial<DeploymentSettings>,
  ): Promise<DeploymentView> {
    const next = { ...row, ...changes };
    const changed = SETTINGS.filter((name) => next[name] !== row[name]);
    if (changed.length === 0) return toDetailView(row, this.context);
    await this.deployments.change(actor.tenantId, row.id, next);
    await this.record(actor, changed, { previous: row, next });
    return toDetailView(await this.lock(actor), this.context);
  }

  private async record(
    actor: ActingCaller,
    changed: readonly Setting[],
    { previous, next }: { previous: DeploymentSettings; next: DeploymentSettings },
  ): Promise<void> {
    const described = (of: DeploymentSettings): object => Object.fromEntries(changed.map((name) => [name, of[name]]));
    await this.ledger.record({
      audit: 'deployment_updated',
      author: actor.author,
      context: actor.context,
      data: { ...described(next), previous: described(previous) },
      traceId: actor.traceId,
    });
  }
}
