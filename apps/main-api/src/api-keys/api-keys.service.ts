import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { requireWithin } from '@libs/catalog';
import { DomainError, type AuditType, type Precondition, type ApiKeyId } from '@libs/domain';
import { Page, requireUnchanged, type ActingCaller } from '@libs/http';
import { Ledger } from '@libs/ledger';
import { ApiKeysRepository, RolesRepository, type ApiKeyRow } from '@libs/persistence/organization';
import { requireWithinReach, scopeOf } from '../platform/index.js';
import { TenantEntitlements } from '../tenants/index.js';
import { isLooser, readAllowlist } from './allowlist.js';
import type { ApiKeyItem, ApiKeyView } from './dto/api-key.view.js';
import type { ListApiKeysQuery } from './dto/list-api-keys.query.js';
import type { RestrictApiKeyDto } from './dto/restrict-api-key.dto.js';
import { KeyOwners } from './key-owners.js';
import { auditData, contextOf, toItem, toView } from './to-api-key-view.js';

@Injectable()
export class ApiKeysService {
  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly roles: RolesRepository,
    private readonly entitlements: TenantEntitlements,
    private readonly owners: KeyOwners,
    private readonly ledger: Ledger,
  ) {}

  async list(actor: ActingCaller, query: ListApiKeysQuery): Promise<Page<ApiKeyItem>> {
    return Page.of(await this.keys.list(scopeOf(actor), query.name ?? null, query), toItem, query);
  }

  /** @throws DomainError api_key_not_found */
  async get(actor: ActingCaller, id: ApiKeyId): Promise<ApiKeyView> {
    return toView(found(await this.keys.find(scopeOf(actor), id)));
  }

  /** Returns the calling key. */
  async callingKey(actor: ActingCaller): Promise<ApiKeyView> {
    const key = await this.keys.find(scopeOf(actor), actor.key.id);
    if (!key) throw new DomainError('unauthenticated', 'The ld-api-key header carries no valid API key.');
    return toView(key);
  }

  /**
   * Another user who lets a key in from more addresses needs all permissions of the key, as for a rotation. This user
   * becomes the owner of the key.
   * @throws DomainError api_key_not_found, validation_failed, insufficient_permissions, plan_limit_reached,
   * precondition_failed
   */
  async restrict(actor: ActingCaller, id: ApiKeyId, dto: RestrictApiKeyDto, precondition: Precondition): Promise<void> {
    const entitlements = await this.entitlements.lock(actor.tenantId);
    const key = found(await this.keys.findForUpdate(scopeOf(actor), id));
    precondition.require(toView(key));
    requireUnchanged(dto, toView(key));
    const validateIp = dto.validate_ip ?? key.validate_ip;
    const { allowedIps } = readAllowlist(validateIp, dto.allowed_ips ?? (validateIp ? key.allowed_ips : []));
    const next = { validate_ip: validateIp, allowed_ips: allowedIps };
    const previous = { validate_ip: key.validate_ip, allowed_ips: key.allowed_ips };
    if (isDeepStrictEqual(next, previous)) return;
    const isTaken = key.user_id !== actor.caller.user.id && isLooser(next, previous);
    if (isTaken) requireWithinReach(actor, key.permissions, key.division_id);
    requireWithin(entitlements, 'api_key_allowed_ips_limit', allowedIps.length);
    await this.keys.restrict(actor.tenantId, id, validateIp, allowedIps);
    const owners = isTaken ? await this.owners.take(actor, key) : {};
    await this.record(actor, 'api_key_updated', key, { ...auditData(key), ...next, previous, ...owners });
  }

  /** @throws DomainError api_key_not_found, insufficient_permissions, precondition_failed */
  async delete(actor: ActingCaller, id: ApiKeyId, precondition: Precondition): Promise<void> {
    const key = found(await this.keys.findForUpdate(scopeOf(actor), id));
    precondition.require(toView(key));
    await this.owners.requireMayDelete(actor, key);
    await this.keys.delete(actor.tenantId, id);
    await this.roles.deleteUnheld(actor.tenantId, key.role_id);
    await this.record(actor, 'api_key_deleted', key, auditData(key));
  }

  private async record(actor: ActingCaller, audit: AuditType, key: ApiKeyRow, data: object): Promise<void> {
    const context = contextOf(actor, key);
    await this.ledger.record({ audit, author: actor.author, context, data, traceId: actor.traceId });
  }
}

function found(key: ApiKeyRow | null): ApiKeyRow {
  if (!key) throw new DomainError('api_key_not_found', 'No such API key.');
  return key;
}
