import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { requireUnchanged, type ActingCaller } from '@libs/http';
import { Ledger } from '@libs/ledger';
import { BillingInfosRepository, type BillingInfo, type PostalAddress } from '@libs/persistence/billing';
import { type Precondition } from '@libs/domain';
import { tenantWide } from '../platform/index.js';
import { TenantEntitlements } from '../tenants/index.js';
import type { BillingInfoView } from './dto/billing-info.view.js';
import type { PostalAddressDto, UpdateBillingInfoDto } from './dto/update-billing-info.dto.js';

/** The address data of invoices. */
@Injectable()
export class BillingInfoService {
  constructor(
    private readonly infos: BillingInfosRepository,
    private readonly entitlements: TenantEntitlements,
    private readonly ledger: Ledger,
  ) {}

  async get({ tenantId }: ActingCaller): Promise<BillingInfoView> {
    return toView(await this.infos.find(tenantId));
  }

  /** @throws DomainError validation_failed, precondition_failed */
  async put(actor: ActingCaller, dto: UpdateBillingInfoDto, precondition: Precondition): Promise<BillingInfoView> {
    // Two concurrent changes of different members must not revert each other.
    await this.entitlements.lock(actor.tenantId);
    const { updated_at, ...before } = toView(await this.infos.find(actor.tenantId));
    precondition.require({ ...before, updated_at });
    requireUnchanged(dto, { ...before, updated_at });
    const after = applied(before, dto);
    if (!isDeepStrictEqual(after, before)) {
      const { tax_id: taxId, purchase_order: purchaseOrder, ...rest } = after;
      await this.infos.put(actor.tenantId, { ...rest, taxId, purchaseOrder });
      const { author, traceId } = actor;
      const data = { ...after, previous: before };
      await this.ledger.record({ audit: 'billing_info_changed', author, context: tenantWide(actor), data, traceId });
    }
    return this.get(actor);
  }
}

type BillingFacts = Omit<BillingInfoView, 'updated_at'>;

/** Omitted members are unchanged; null clears a member. */
const applied = (
  before: BillingFacts,
  { company, email, address, tax_id, purchase_order }: UpdateBillingInfoDto,
): BillingFacts => ({
  company: company === undefined ? before.company : company,
  email: email === undefined ? before.email : email,
  address: address === undefined ? before.address : address && whole(address),
  tax_id: tax_id === undefined ? before.tax_id : tax_id,
  purchase_order: purchase_order === undefined ? before.purchase_order : purchase_order,
});

const whole = (address: PostalAddressDto): PostalAddress => ({
  line_1: address.line_1 || null,
  line_2: address.line_2 || null,
  city: address.city || null,
  region: address.region || null,
  postal_code: address.postal_code || null,
  country: address.country || null,
});

// Lists the members of an address in a fixed order, so that equal addresses have equal entity tags.
const toView = ({ taxId, purchaseOrder, updatedAt, address, ...info }: BillingInfo): BillingInfoView => ({
  ...info,
  address: address && whole(address),
  tax_id: taxId,
  purchase_order: purchaseOrder,
  updated_at: updatedAt?.toISOString() ?? null,
});
