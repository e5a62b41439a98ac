import { Injectable } from '@nestjs/common';
import { requireBelowLimit } from '@libs/catalog';
import { DomainError, findGrant, reachOf } from '@libs/domain';
import {
  answer,
  Page,
  requireMatch,
  requireUnchanged,
  type ActingCaller,
  type Answer,
  type PageQuery,
} from '@libs/http';
import { Ledger } from '@libs/ledger';
import { Database } from '@libs/persistence';
import { EnvironmentsRepository, type Environment, type EnvironmentWithCount } from '@libs/persistence/organization';
import { changesOf } from '../platform/index.js';
import { ProtectionCodes } from '../protection-codes/index.js';
import { TenantEntitlements } from '../tenants/index.js';
import type { CreateEnvironmentDto } from './dto/create-environment.dto.js';
import type { EnvironmentView } from './dto/environment.view.js';
import type { UpdateEnvironmentDto } from './dto/update-environment.dto.js';

/** The verbs of event subjects. */
const PAST_TENSE = {
  environment_created: 'created',
  environment_updated: 'changed',
  environment_deleted: 'deleted',
} as const;

@Injectable()
export class EnvironmentsService {
  private readonly environments: EnvironmentsRepository;

  constructor(
    database: Database,
    private readonly entitlements: TenantEntitlements,
    private readonly ledger: Ledger,
    private readonly codes: ProtectionCodes,
  ) {
    this.environments = new EnvironmentsRepository(database);
  }

  async list(actor: ActingCaller, query: PageQuery): Promise<Page<EnvironmentView>> {
    const reach = reachOf(actor.caller.holding, 'environment:read');
    const { items, total } = await this.environments.list(actor.tenantId, actor.division.id, reach, query);
    return new Page(items.map(toView), total, query);
  }

  async get(actor: ActingCaller): Promise<EnvironmentView> {
    const { division, environment } = actor;
    return toView(found(await this.environments.find(actor.tenantId, division.id, environment.id)));
  }

  /** @throws DomainError name_taken, plan_limit_reached */
  async create(actor: ActingCaller, dto: CreateEnvironmentDto): Promise<Answer<EnvironmentView>> {
    await this.entitlements.lock(actor.tenantId);
    await this.requireFreeName(actor, dto.name, null);
    const environment = await this.insert(actor, dto);
    const location = `/tenants/${actor.tenantId}/divisions/${actor.division.id}/environments/${environment.id}`;
    return answer(toView(environment), { environment: environment.id }, location);
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
  async update(actor: ActingCaller, dto: UpdateEnvironmentDto, ifMatch: string | undefined): Promise<void> {
    await this.entitlements.lock(actor.tenantId);
    const environment = await this.lock(actor);
    requireMatch(ifMatch, toView(environment));
    requireUnchanged(dto, toView(environment));
    const { changes, previous } = changesOf<EnvironmentWithCount>(environment, { ...dto });
    if (Object.keys(changes).length === 0) return;
    if (dto.name !== undefined) await this.requireFreeName(actor, dto.name, environment.id);
    await this.environments.update(actor.tenantId, environment.id, changes);
    await this.record(actor, 'environment_updated', { ...environment, ...changes }, { ...changes, previous });
  }

  /** @throws DomainError not_empty, protection_code_required, protection_code_invalid, precondition_failed */
  async delete(actor: ActingCaller, code: string | undefined, ifMatch: string | undefined): Promise<void> {
    // A running creation has the lock of the tenant. The check below must see its deployment.
    await this.entitlements.lock(actor.tenantId);
    const environment = await this.lock(actor);
    requireMatch(ifMatch, toView(environment));
    await this.codes.require(
      { actionType: 'delete_environment', resourceId: environment.id },
      environment.protected,
      code,
    );
    if (environment.deployments_count > 0)
      throw new DomainError('not_empty', 'The environment still contains deployments.');
    await this.environments.delete(actor.tenantId, environment.id);
    await this.record(actor, 'environment_deleted', environment, { name: environment.name });
  }

  private async insert(actor: ActingCaller, dto: CreateEnvironmentDto): Promise<EnvironmentWithCount> {
    const entitlements = await this.entitlements.of(actor.tenantId);
    const counts = await this.environments.counts(actor.tenantId, actor.division.id);
    requireBelowLimit(entitlements, 'environments_limit', counts.tenant);
    requireBelowLimit(entitlements, 'environments_per_division_limit', counts.division);
    const { name, description = '' } = dto;
    const place = { tenant_id: actor.tenantId, division_id: actor.division.id };
    const environment = await this.environments.insert({
      ...place,
      name,
      description,
      protected: dto.protected ?? false,
    });
    await this.record(actor, 'environment_created', environment, { name, description });
    return environment;
  }

  private async lock(actor: ActingCaller): Promise<EnvironmentWithCount> {
    return found(await this.environments.findForUpdate(actor.tenantId, actor.division.id, actor.environment.id));
  }

  private async requireFreeName(actor: ActingCaller, name: string, own: number | null): Promise<void> {
    const id = await this.environments.findIdByName(actor.tenantId, actor.division.id, name);
    if (id === null || id === own) return;
    const place = { divisionId: actor.division.id, environmentId: id };
    const isReadable = findGrant(actor.caller.holding, 'environment:read', place) !== null;
    throw new DomainError('name_taken', `Another environment has the name ${name}.`, {
      members: isReadable ? { id } : {},
    });
  }

  private async record(
    actor: ActingCaller,
    type: 'environment_created' | 'environment_updated' | 'environment_deleted',
    { id, name }: Pick<Environment, 'id' | 'name'>,
    data: object,
  ): Promise<void> {
    await this.ledger.record({
      audit: type,
      event: {
        type,
        key: `${type}:${id}:${actor.requestId}`,
        subject: `Environment ${name} was ${PAST_TENSE[type]}`,
        data,
      },
      author: actor.author,
      place: { tenantId: actor.tenantId, division: actor.division, environment: { id, name }, deployment: null },
      data,
      traceId: actor.traceId,
    });
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
