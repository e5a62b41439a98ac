import { Injectable } from '@nestjs/common';
import { requireBelowLimit, requireWithin } from '@libs/catalog';
import {
  DomainError,
  hashApiKey,
  isDivisionVisible,
  mergeTrees,
  mintApiKey,
  parseInstant,
  validationFailed,
  type FieldIssue,
  type PermissionTree,
  Written,
  type ApiKeyId,
  type DivisionId,
  type RoleId,
  type TenantId,
} from '@libs/domain';
import { type ActingCaller } from '@libs/http';
import { Ledger } from '@libs/ledger';
import {
  ApiKeysRepository,
  DivisionsRepository,
  RolesRepository,
  type ApiKeyRow,
} from '@libs/persistence/organization';
import { requireWithinReach, rotatedMeanwhile, scopeOf } from '../platform/index.js';
import { RolePermissions } from '../roles/index.js';
import { TenantEntitlements, type TenantEntitlement } from '../tenants/index.js';
import { readAllowlist, type Allowlist } from './allowlist.js';
import type { ApiKeyWithSecretView } from './dto/api-key.view.js';
import type { CreateApiKeyDto } from './dto/create-api-key.dto.js';
import type { RotateApiKeyDto } from './dto/rotate-api-key.dto.js';
import { KeyOwners } from './key-owners.js';
import { auditData, contextOf, toView } from './to-api-key-view.js';

const MAX_DAYS = 365;
const DAY_MS = 86_400_000;

/** The permissions of a new key: of an existing role, or of a role that is created for the key. */
interface Powers {
  tree: PermissionTree;
  roleId: RoleId | null;
}

interface KeyToInsert extends Powers {
  name: string;
  expiryAt: Date;
  divisionId: DivisionId | null;
  allowlist: Allowlist;
}

const ANYWHERE: Allowlist = { validateIp: false, allowedIps: [] };

/** Creates secrets for new and existing keys. A caller never gets more permissions than it has. */
@Injectable()
export class ApiKeyIssuance {
  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly roles: RolesRepository,
    private readonly divisions: DivisionsRepository,
    private readonly permissions: RolePermissions,
    private readonly entitlements: TenantEntitlements,
    private readonly owners: KeyOwners,
    private readonly ledger: Ledger,
  ) {}

  /** @throws DomainError validation_failed, role_not_found, division_not_found, insufficient_permissions, plan_limit_reached */
  async create(actor: ActingCaller, dto: CreateApiKeyDto): Promise<Written<ApiKeyWithSecretView>> {
    requireOnePower(dto);
    const expiryAt = readExpiry(dto.expiry_at);
    const allowlist = readAllowlist(dto.validate_ip ?? false, dto.allowed_ips ?? []);
    const entitlements = await this.entitlements.lock(actor.tenantId);
    const divisionId = await this.readDivision(actor, dto.division_id ?? null);
    const powers = await this.readPowers(actor, dto, entitlements);
    requireWithinReach(actor, powers.tree, divisionId);
    const { key, secret } = await this.insert(actor, entitlements, {
      ...{ name: dto.name, expiryAt, divisionId, allowlist },
      ...powers,
    });
    return new Written({ ...toView(key), secret }, { 'api-key': key.id });
  }

  /**
   * Creates a key with all permissions of the caller, without a secret that anybody knows. `giveSecret` makes it usable.
   * @throws DomainError plan_limit_reached, division_not_found for a key whose owner is limited to another division
   */
  async createWithoutSecret(actor: ActingCaller, name: string, expiryAt: Date): Promise<ApiKeyRow> {
    const { trees, divisionScope } = actor.caller.holding;
    const entitlements = await this.entitlements.lock(actor.tenantId);
    const divisionId = await this.readDivision(actor, divisionScope);
    const powers = { tree: mergeTrees(trees), roleId: null };
    const { key } = await this.insert(actor, entitlements, {
      name,
      expiryAt,
      divisionId,
      allowlist: ANYWHERE,
      ...powers,
    });
    return key;
  }

  /** Gives a secret to a key that was created without one. @throws DomainError api_key_not_found */
  async giveSecret(tenantId: TenantId, id: ApiKeyId): Promise<ApiKeyWithSecretView> {
    const secret = mintApiKey(id);
    await this.keys.rotate(tenantId, id, hashApiKey(secret), 0);
    return { ...toView(found(await this.keys.find({ tenantId, divisionScope: null }, id))), secret };
  }

  /**
   * The caller that gets the secret gets the permissions of the key. So the caller becomes the owner of the key: the
   * key ends with its owner and acts in the owner's name. Of several rotations at once, one takes place. So no caller gets a secret
   * that another rotation ended in the meantime.
   * @throws DomainError api_key_not_found, insufficient_permissions, state_conflict
   */
  async rotate(actor: ActingCaller, id: ApiKeyId, dto: RotateApiKeyDto): Promise<Written<ApiKeyWithSecretView>> {
    const { key: callingKey, secretHash } = actor.caller;
    const before = callingKey?.id === id ? secretHash : await this.keys.secretHash(actor.tenantId, id);
    const key = found(await this.keys.findForUpdate(scopeOf(actor), id));
    requireWithinReach(actor, key.permissions, key.division_id);
    const hash = await this.keys.secretHash(actor.tenantId, id);
    if (!before || !hash?.equals(before)) throw rotatedMeanwhile();
    if (key.expiry_at.getTime() <= Date.now())
      throw new DomainError('state_conflict', 'The key has expired. Create another key.', {
        members: { state: 'expired' },
      });
    const secret = mintApiKey(id);
    await this.keys.rotate(actor.tenantId, id, hashApiKey(secret), dto.overlap_seconds ?? 0);
    const owners = await this.owners.take(actor, key);
    await this.record(actor, 'api_key_rotated', key, { overlap_seconds: dto.overlap_seconds ?? 0, ...owners });
    return new Written({ ...toView(key), user_id: actor.caller.user.id, secret }, { 'api-key': id });
  }

  private async insert(
    actor: ActingCaller,
    entitlements: TenantEntitlement,
    { name, expiryAt, divisionId, allowlist, tree, roleId: existing }: KeyToInsert,
  ): Promise<{ key: ApiKeyRow; secret: string }> {
    requireBelowLimit(entitlements, 'api_keys_limit', await this.keys.count(actor.tenantId));
    requireWithin(entitlements, 'api_key_allowed_ips_limit', allowlist.allowedIps.length);
    const id = await this.keys.nextId();
    const secret = mintApiKey(id);
    const roleId = existing ?? (await this.roles.insert(actor.tenantId, name, 'api_key', tree)).id;
    const holder = { tenantId: actor.tenantId, roleId, divisionId, userId: actor.caller.user.id };
    await this.keys.insert({ id, name, secretHash: hashApiKey(secret), expiryAt, ...holder, ...allowlist });
    const key = found(await this.keys.find(scopeOf(actor), id));
    await this.record(actor, 'api_key_created', key);
    return { key, secret };
  }

  private async readDivision(actor: ActingCaller, id: DivisionId | null): Promise<DivisionId | null> {
    if (id === null) return null;
    const division = isDivisionVisible(actor.caller.holding, id) ? await this.divisions.find(actor.tenantId, id) : null;
    if (!division) throw new DomainError('division_not_found', 'No such division.');
    return division.id;
  }

  private async readPowers(
    actor: ActingCaller,
    dto: CreateApiKeyDto,
    entitlements: TenantEntitlement,
  ): Promise<Powers> {
    if (dto.role_id === undefined) {
      const tree = this.permissions.read(dto.permissions);
      await this.permissions.requirePlaces(actor, tree, entitlements);
      return { tree, roleId: null };
    }
    const role = await this.roles.find(scopeOf(actor), dto.role_id);
    if (!role || role.kind === 'api_key') throw new DomainError('role_not_found', 'No such role.');
    return { tree: role.permissions, roleId: role.id };
  }

  private async record(
    actor: ActingCaller,
    audit: 'api_key_created' | 'api_key_rotated',
    key: ApiKeyRow,
    more: object = {},
  ): Promise<void> {
    const data = { ...auditData(key), ...more };
    await this.ledger.record({
      audit,
      author: actor.author,
      context: contextOf(actor, key),
      data,
      traceId: actor.traceId,
    });
  }
}

function requireOnePower({ role_id, permissions }: CreateApiKeyDto): void {
  if ((role_id === undefined) !== (permissions === undefined)) return;
  const issue = (path: string): FieldIssue => ({
    path,
    code: 'exactly_one',
    reason: 'send exactly one of role_id and permissions',
  });
  throw validationFailed([issue('/role_id'), issue('/permissions')]);
}

function readExpiry(text: string): Date {
  const expiry = parseInstant(text) ?? new Date(0);
  const days = (expiry.getTime() - Date.now()) / DAY_MS;
  if (days > 0 && days <= MAX_DAYS) return expiry;
  const reason = days > 0 ? `must be at most ${MAX_DAYS} days ahead` : 'must be in the future';
  throw validationFailed([{ path: '/expiry_at', code: 'expiry', reason }]);
}

function found(key: ApiKeyRow | null): ApiKeyRow {
  if (!key) throw new DomainError('api_key_not_found', 'No such API key.');
  return key;
}
