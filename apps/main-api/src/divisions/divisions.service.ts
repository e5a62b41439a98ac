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
  type DivisionId,
} from '@libs/domain';
import { Page, requireUnchanged, type ActingCaller } from '@libs/http';
import type { DivisionsQuery } from './dto/divisions.query.js';
import { Ledger } from '@libs/ledger';
import { DivisionsRepository, type DivisionRow } from '@libs/persistence/organization';
import { recordDeletedEnvironments, recordStructureChange, type StructureChange } from '../platform/index.js';
import { ProtectionCodes } from '../protection-codes/index.js';
import { TenantEntitlements } from '../tenants/index.js';
import type { CreateDivisionDto } from './dto/create-division.dto.js';
import type { DivisionView } from './dto/division.view.js';
import type { UpdateDivisionDto } from './dto/update-division.dto.js';

@Injectable()
export class DivisionsService {
  constructor(
    private readonly divisions: DivisionsRepository,
    private readonly entitlements: TenantEntitlements,
    private readonly ledger: Ledger,
    private readonly codes: ProtectionCodes,
  ) {}

  async list(actor: ActingCaller, query: DivisionsQuery): Promise<Page<DivisionView>> {
    const reach = reachOf(actor.caller.holding, 'division:read');
    return Page.of(await this.divisions.list(actor.tenantId, reach, query.name ?? null, query), toView, query);
  }

  async get(actor: ActingCaller): Promise<DivisionView> {
    return toView(found(await this.divisions.find(actor.tenantId, actor.division.id)));
  }

  /** @throws DomainError name_taken, plan_limit_reached */
  async create(actor: ActingCaller, dto: CreateDivisionDto): Promise<Written<DivisionView>> {
    const entitlements = await this.entitlements.lock(actor.tenantId);
    await this.requireFreeName(actor, dto.name, null);
    requireBelowLimit(entitlements, 'divisions_limit', await this.divisions.count(actor.tenantId));
    const { name, description = null, email = null } = dto;
    const values = { tenant_id: actor.tenantId, name, description, email, protected: dto.protected ?? false };
    const division = await this.divisions.insert(values);
    await this.record(actor, 'created', division, { name, description, email, protected: division.protected });
    return new Written(toView(division), { division: division.id });
  }

  /** @throws DomainError name_taken, precondition_failed */
  async update(actor: ActingCaller, dto: UpdateDivisionDto, precondition: Precondition): Promise<void> {
    await this.entitlements.lock(actor.tenantId);
    const division = found(await this.divisions.findForUpdate(actor.tenantId, actor.division.id));
    precondition.require(toView(division));
    requireUnchanged(dto, toView(division));
    const { changes, previous } = changesOf(division, { ...dto });
    if (Object.keys(changes).length === 0) return;
    if (dto.name !== undefined) await this.requireFreeName(actor, dto.name, division.id);
    await this.divisions.update(actor.tenantId, division.id, changes);
    await this.record(actor, 'updated', { ...division, ...changes }, { ...changes, previous });
  }

  /** @throws DomainError not_empty, protection_code_required, protection_code_invalid, precondition_failed */
  async delete(actor: ActingCaller, code: string | undefined, precondition: Precondition): Promise<void> {
    // A running creation has the lock of the tenant. The check below must see its deployment.
    await this.entitlements.lock(actor.tenantId);
    const division = found(await this.divisions.findForUpdate(actor.tenantId, actor.division.id));
    precondition.require(toView(division));
    const environments = await this.divisions.environmentsForUpdate(actor.tenantId, division.id);
    const isProtected = division.protected || environments.some((environment) => environment.protected);
    await this.codes.require({ actionType: 'delete_division', resourceId: division.id }, isProtected, code);
    if (await this.divisions.isOccupied(actor.tenantId, division.id))
      throw new DomainError('not_empty', 'The environments of the division still contain deployments.');
    await this.divisions.delete(actor.tenantId, division.id);
    await recordDeletedEnvironments(this.ledger, actor, division, environments);
    await this.record(actor, 'deleted', division, { name: division.name });
  }

  private async requireFreeName(actor: ActingCaller, name: string, ownId: DivisionId | null): Promise<void> {
    const id = await this.divisions.findIdByName(actor.tenantId, name);
    const isReadable = (divisionId: DivisionId): boolean =>
      findGrant(actor.caller.holding, 'division:read', { divisionId }) !== null;
    requireFreeName('division', name, { id, own: ownId, isReadable });
  }

  private record(
    actor: ActingCaller,
    change: StructureChange['change'],
    division: Pick<DivisionRow, 'id' | 'name'>,
    data: object,
  ): Promise<void> {
    return recordStructureChange(this.ledger, actor, { kind: 'division', change, division, environment: null, data });
  }
}

function found(division: DivisionRow | null): DivisionRow {
  if (!division) throw new DomainError('division_not_found', 'No such division.');
  return division;
}

const toView = (division: DivisionRow): DivisionView => ({
  id: division.id,
  name: division.name,
  description: division.description,
  email: division.email,
  protected: division.protected,
  created_at: division.created_at.toISOString(),
  updated_at: division.updated_at.toISOString(),
});
