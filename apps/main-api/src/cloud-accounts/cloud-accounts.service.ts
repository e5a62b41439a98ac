import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { requireBelowLimit } from '@libs/catalog';
import {
  DomainError,
  findGrant,
  type Precondition,
  requireFreeName,
  validationFailed,
  Written,
  type CloudAccountId,
} from '@libs/domain';
import { Page, requireUnchanged, type ActingCaller } from '@libs/http';
import { Ledger } from '@libs/ledger';
import { CloudAccountsRepository, type CloudAccount, type CloudAccountChanges } from '@libs/persistence/organization';
import { tenantWide } from '../platform/index.js';
import { TenantEntitlements } from '../tenants/index.js';
import { accountIssues } from './account-rules.js';
import type { CloudAccountItemView, CloudAccountView } from './dto/cloud-account.view.js';
import type { CloudAccountsQuery } from './dto/cloud-accounts.query.js';
import type { CreateCloudAccountDto } from './dto/create-cloud-account.dto.js';
import type { UpdateCloudAccountDto } from './dto/update-cloud-account.dto.js';
import { changedData, createdData, toItemView, toView } from './to-cloud-account-view.js';

type AuditedAs = 'cloud_account_created' | 'cloud_account_updated' | 'cloud_account_deleted';

/** Accounts of the tenant at its cloud providers. */
@Injectable()
export class CloudAccountsService {
  constructor(
    private readonly accounts: CloudAccountsRepository,
    private readonly entitlements: TenantEntitlements,
    private readonly ledger: Ledger,
  ) {}

  async list(actor: ActingCaller, query: CloudAccountsQuery): Promise<Page<CloudAccountItemView>> {
    const { name = null, cloud = null, region = null, status = null } = query;
    const filter = { name, cloud, region, status };
    return Page.of(await this.accounts.list(actor.tenantId, filter, query), toItemView, query);
  }

  /** @throws DomainError cloud_account_not_found */
  async get(actor: ActingCaller, id: CloudAccountId): Promise<CloudAccountView> {
    return toView(found(await this.accounts.find(actor.tenantId, id)));
  }

  /** @throws DomainError validation_failed, name_taken, plan_limit_reached */
  async create(actor: ActingCaller, dto: CreateCloudAccountDto): Promise<Written<CloudAccountView>> {
    const { cloud, name, account_id: accountId, region = null, remarks = null } = dto;
    const values = { cloud, name, accountId, region, settings: recordOf(dto.settings ?? null), remarks };
    requireValid(values);
    const entitlements = await this.entitlements.lock(actor.tenantId);
    await this.requireFreeName(actor, name, null);
    requireBelowLimit(entitlements, 'cloud_accounts_limit', await this.accounts.count(actor.tenantId));
    const id = await this.accounts.insert(actor.tenantId, values);
    const account = found(await this.accounts.find(actor.tenantId, id));
    await this.record(actor, 'cloud_account_created', createdData(account));
    return new Written(toView(account), { 'cloud-account': id });
  }

  /** @throws DomainError cloud_account_not_found, validation_failed, name_taken, precondition_failed */
  async update(
    actor: ActingCaller,
    id: CloudAccountId,
    dto: UpdateCloudAccountDto,
    precondition: Precondition,
  ): Promise<void> {
    await this.entitlements.lock(actor.tenantId);
    const account = found(await this.accounts.findForUpdate(actor.tenantId, id));
    precondition.require(toView(account));
    requireUnchanged(dto, toView(account));
    const changes = changesTo(account, dto);
    if (Object.keys(changes).length === 0) return;
    const next = { ...account, ...changes };
    const isUnproven = changes.accountId !== undefined || changes.settings !== undefined;
    // A network that was stored under older rules may stay.
    if (isUnproven) requireValid({ ...next, settings: changes.settings ?? null });
    if (changes.name !== undefined) await this.requireFreeName(actor, changes.name, account.id);
    await this.accounts.update(actor.tenantId, next, isUnproven);
    await this.record(actor, 'cloud_account_updated', changedData(account, changes));
  }

  /** @throws DomainError cloud_account_not_found, precondition_failed */
  async delete(actor: ActingCaller, id: CloudAccountId, precondition: Precondition): Promise<void> {
    const account = found(await this.accounts.findForUpdate(actor.tenantId, id));
    precondition.require(toView(account));
    await this.accounts.delete(actor.tenantId, account.id);
    await this.record(actor, 'cloud_account_deleted', createdData(account));
  }

  private async requireFreeName(actor: ActingCaller, name: string, accountId: CloudAccountId | null): Promise<void> {
    const id = await this.accounts.findIdByName(actor.tenantId, name);
    const isReadable = (): boolean => findGrant(actor.caller.holding, 'settings:read', {}) !== null;
    requireFreeName('cloud account', name, { id, own: accountId, isReadable });
  }

  private async record(actor: ActingCaller, audit: AuditedAs, data: object): Promise<void> {
    await this.ledger.record({
      audit,
      author: actor.author,
      context: tenantWide(actor),
      data,
      traceId: actor.traceId,
    });
  }
}

function found(account: CloudAccount | null): CloudAccount {
  if (!account) throw new DomainError('cloud_account_not_found', 'No such cloud account.');
  return account;
}

/** @throws DomainError validation_failed */
function requireValid({ cloud, accountId, settings }: Pick<CloudAccount, 'cloud' | 'accountId' | 'settings'>): void {
  const issues = accountIssues({ cloud, accountId, settings });
  if (issues.length > 0) throw validationFailed(issues);
}

/** Returns the changes of the request. Null is a value that clears a member. Only an omitted member is unchanged. */
function changesTo(account: CloudAccount, dto: UpdateCloudAccountDto): CloudAccountChanges {
  const request = {
    name: dto.name,
    accountId: dto.account_id,
    region: dto.region,
    settings: dto.settings === undefined ? undefined : recordOf(dto.settings),
    remarks: dto.remarks,
    status: dto.status,
  };
  const entries = Object.entries(request) as [keyof typeof request, unknown][];
  return Object.fromEntries(
    entries.filter(([name, value]) => value !== undefined && !isDeepStrictEqual(value, account[name])),
  );
}

const recordOf = (settings: object | null): Record<string, unknown> | null =>
  settings && (JSON.parse(JSON.stringify(settings)) as Record<string, unknown>);
