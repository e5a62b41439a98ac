import { Injectable } from '@nestjs/common';
import { requireBelowLimit } from '@libs/catalog';
import {
  changesOf,
  DomainError,
  findGrant,
  reachOf,
  requireFreeName,
  type Precondition,
  Written,
  type EnvironmentId,
} from '@libs/domain';
import { Page, requireUnchanged, type ActingCaller } from '@libs/http';
import type { EnvironmentsQuery } from './dto/environments.query.js';
import { Ledger } from '@libs/ledger';
import { EnvironmentsRepository, type Environment, type EnvironmentWithCount } from '@libs/persistence/organization';
import { recordStructureChange, type StructureChange } from '../platform/index.js';
import { ProtectionCodes } from '../protection-codes/index.js';
import { TenantEntitlements } from '../tenants/index.js';
import type { CreateEnvironmentDto } from './dto/create-environment.dto.js';
import type { EnvironmentView } from './dto/environment.view.js';
import type { UpdateEnvironmentDto } from './dto/update-environment.dto.js';

@Injectable()
export class EnvironmentsService {
  constructor(
    private readonly environments: EnvironmentsRepository,
    private readonly entitlements: TenantEntitlements,
    private readonly ledger: Ledger,
    private readonly codes: ProtectionCodes,
  ) {}

  async list(actor: ActingCaller, query: EnvironmentsQuery): Promise<Page<EnvironmentView>> {
    const reach = reachOf(actor.caller.holding, 'environment:read');
    return Page.of(
      await this.environments.list(actor.tenantId, actor.division.id, reach, query.name ?? null, query),
      toView,
      query,
    );
  }

  async get(actor: ActingCaller): Promise<EnvironmentView> {
    const { division, environment } = actor;
    return toView(found(await this.environments.find(actor.tenantId, division.id, environment.id)));
  }

  /** @throws DomainError name_taken, plan_limit_reached */
  async create(actor: ActingCaller, dto: CreateEnvironmentDto): Promise<Written<EnvironmentView>> {
    await this.entitlements.lock(actor.tenantId);
    await this.requireFreeName(actor, dto.name, null);
    const environment = await this.insert(actor, dto);
    return new Written(toView(environment), { environment: environment.id });
  }

  /**
   * Returns the environment with this name in the addressed division, and creates it if it is missing.
   * @throws DomainError plan_limit_reached
   */
  async ensure(actor: ActingCaller, name: string): Promise<EnvironmentWithCount> {
    await this.entitlements.lock(actor.tenantId);
    const id = await this.environments.findIdByName(actor.tenantId, actor.division.id, name);
    const existing = id === null ? null : await this.environments.find(actor.tenantId, actor.division.id, id);
    return existing ?? this.insert(actor, { name });
  }

  /** @throws DomainError name_taken, precondition_failed */
  async update(actor: ActingCaller, dto: UpdateEnvironmentDto, precondition: Precondition): Promise<void> {
    await this.entitlements.lock(actor.tenantId);
    const environment = await this.lock(actor);
    precondition.require(toView(environment));
    requireUnchanged(dto, toView(environment));
    const { changes, previous } = changesOf<EnvironmentWithCount>(environment, { ...dto });
    if (Object.keys(changes).length === 0) return;
    if (dto.name !== undefined) await this.requireFreeName(actor, dto.name, environment.id);
    await this.environments.update(actor.tenantId, environment.id, changes);
    await this.record(actor, 'updated', { ...environment, ...changes }, { ...changes, previous });
  }

  /** @throws DomainError not_empty, protection_code_required, protection_code_invalid, precondition_failed */
  async delete(actor: ActingCaller, code: string | undefined, precondition: Precondition): Promise<void> {
    // A running creation has the lock of the tenant. The check below must see its deployment.
    await this.entitlements.lock(actor.tenantId);
    const environment = await this.lock(actor);
    precondition.require(toView(environment));
    await this.codes.require(
      { actionType: 'delete_environment', resourceId: environment.id },
      environment.protected,
      code,
    );
    if (environment.deployments_count > 0)
      throw new DomainError('not_empty', 'The environment still contains deployments.');
    await this.environments.delete(actor.tenantId, environment.id);
    await this.record(actor, 'deleted', environment, { name: environment.name });
  }

  private async insert(actor: ActingCaller, dto: CreateEnvironmentDto): Promise<EnvironmentWithCount> {
    const entitlements = await this.entitlements.of(actor.tenantId);
    const counts = await this.environments.counts(actor.tenantId, actor.division.id);
    requireBelowLimit(entitlements, 'environments_limit', counts.tenant);
    requireBelowLimit(entitlements, 'environments_per_division_limit', counts.division);
    const { name, description = null } = dto;
    const ids = { tenant_id: actor.tenantId, division_id: actor.division.id };
    const environment = await this.environments.insert({
      ...ids,
      name,
      description,
      protected: dto.protected ?? false,
    });
    await this.record(actor, 'created', environment, { name, description, protected: environment.protected });
    return environment;
  }

  private async lock(actor: ActingCaller): Promise<EnvironmentWithCount> {
    return found(await this.environments.findForUpdate(actor.tenantId, actor.division.id, actor.environment.id));
  }

  private async requireFreeName(actor: ActingCaller, name: string, ownId: EnvironmentId | null): Promise<void> {
    const id = await this.environments.findIdByName(actor.tenantId, actor.division.id, name);
    const scope = { divisionId: actor.division.id };
    const isReadable = (environmentId: EnvironmentId): boolean =>
      findGrant(actor.caller.holding, 'environment:read', { ...scope, environmentId }) !== null;
    requireFreeName('environment', name, { id, own: ownId, isReadable });
  }

  private record(
    actor: ActingCaller,
    change: StructureChange['change'],
    environment: Pick<Environment, 'id' | 'name'>,
    data: object,
  ): Promise<void> {
    const { division } = actor;
    return recordStructureChange(this.ledger, actor, { kind: 'environment', change, division, environment, data });
  }
}

function found(environment: EnvironmentWithCount | null): EnvironmentWithCount {
  if (!environment) throw new DomainError('environment_not_found', 'No such environment.');
  return environment;
}

const toView = (environment: EnvironmentWithCount): EnvironmentView => ({
  id: environment.id,
  name: environment.name,
  description: environment.description,
  protected: environment.protected,
  deployments_count: environment.deployments_count,
  created_at: environment.created_at.toISOString(),
  updated_at: environment.updated_at.toISOString(),
});
