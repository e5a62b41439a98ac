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
import { DivisionsRepository, type DivisionRow } from '@libs/persistence/organization';
import { changesOf } from '../platform/index.js';
import { ProtectionCodes } from '../protection-codes/index.js';
import { TenantEntitlements } from '../tenants/index.js';
import type { CreateDivisionDto } from './dto/create-division.dto.js';
import type { DivisionView } from './dto/division.view.js';
import type { UpdateDivisionDto } from './dto/update-division.dto.js';

/** The verbs of event subjects. */
const PAST_TENSE = { division_created: 'created', division_updated: 'changed', division_deleted: 'deleted' } as const;

@Injectable()
export class DivisionsService {
  private readonly divisions: DivisionsRepository;

  constructor(
    database: Database,
    private readonly entitlements: TenantEntitlements,
    private readonly ledger: Ledger,
    private readonly codes: ProtectionCodes,
  ) {
    this.divisions = new DivisionsRepository(database);
  }

  async list(actor: ActingCaller, query: PageQuery): Promise<Page<DivisionView>> {
    const reach = reachOf(actor.caller.holding, 'division:read');
    const { items, total } = await this.divisions.list(actor.tenantId, reach, query);
    return new Page(items.map(toView), total, query);
  }

  async get(actor: ActingCaller): Promise<DivisionView> {
    return toView(found(await this.divisions.find(actor.tenantId, actor.division.id)));
  }

  /** @throws DomainError name_taken, plan_limit_reached */
  async create(actor: ActingCaller, dto: CreateDivisionDto): Promise<Answer<DivisionView>> {
    const entitlements = await this.entitlements.lock(actor.tenantId);
    await this.requireFreeName(actor, dto.name, null);
    requireBelowLimit(entitlements, 'divisions_limit', await this.divisions.count(actor.tenantId));
    const { name, description = '', email = '' } = dto;
    const values = { tenant_id: actor.tenantId, name, description, email, protected: dto.protected ?? false };
    const division = await this.divisions.insert(values);
    await this.record(actor, 'division_created', division, { name, description, email });
    return answer(toView(division), { division: division.id }, `/tenants/${actor.tenantId}/divisions/${division.id}`);
  }

  /** @throws DomainError name_taken, precondition_failed */
  async update(actor: ActingCaller, dto: UpdateDivisionDto, ifMatch: string | undefined): Promise<void> {
    await this.entitlements.lock(actor.tenantId);
    const division = found(await this.divisions.findForUpdate(actor.tenantId, actor.division.id));
    requireMatch(ifMatch, toView(division));
    requireUnchanged(dto, toView(division));
    const { changes, previous } = changesOf(division, { ...dto });
    if (Object.keys(changes).length === 0) return;
    if (dto.name !== undefined) await this.requireFreeName(actor, dto.name, division.id);
    await this.divisions.update(actor.tenantId, division.id, changes);
    await this.record(actor, 'division_updated', { ...division, ...changes }, { ...changes, previous });
  }

  /** @throws DomainError not_empty, protection_code_required, protection_code_invalid, precondition_failed */
  async delete(actor: ActingCaller, code: string | undefined, ifMatch: string | undefined): Promise<void> {
    // A running creation has the lock of the tenant. The check below must see its deployment.
    await this.entitlements.lock(actor.tenantId);
    const division = found(await this.divisions.findForUpdate(actor.tenantId, actor.division.id));
    requireMatch(ifMatch, toView(division));
    await this.codes.require({ actionType: 'delete_division', resourceId: division.id }, division.protected, code);
    if (await this.divisions.isOccupied(actor.tenantId, division.id))
      throw new DomainError('not_empty', 'The environments of the division still contain deployments.');
    await this.divisions.delete(actor.tenantId, division.id);
    await this.record(actor, 'division_deleted', division, { name: division.name });
  }

  private async requireFreeName(actor: ActingCaller, name: string, own: number | null): Promise<void> {
    const id = await this.divisions.findIdByName(actor.tenantId, name);
    if (id === null || id === own) return;
    const isReadable = findGrant(actor.caller.holding, 'division:read', { divisionId: id }) !== null;
    throw new DomainError('name_taken', `Another division has the name ${name}.`, {
      members: isReadable ? { id } : {},
    });
  }

  private async record(
    actor: ActingCaller,
    type: 'division_created' | 'division_updated' | 'division_deleted',
    division: Pick<DivisionRow, 'id' | 'name'>,
    data: object,
  ): Promise<void> {
    await this.ledger.record({
      audit: type,
      event: {
        type,
        key: `${type}:${division.id}:${actor.requestId}`,
        subject: `Division ${division.name} was ${PAST_TENSE[type]}`,
        data,
      },
      author: actor.author,
      place: {
        tenantId: actor.tenantId,
        division: { id: division.id, name: division.name },
        environment: null,
        deployment: null,
      },
      data,
      traceId: actor.traceId,
    });
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
