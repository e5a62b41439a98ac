import { Injectable } from '@nestjs/common';
import { Catalog, Entitlements } from '@libs/catalog';
import type { Plan } from '@libs/domain';
import { AuditRetention } from '@libs/ledger';

/** Audit is kept as long as the plan of the catalog says. */
@Injectable()
export class CatalogAuditRetention extends AuditRetention {
  constructor(private readonly catalog: Catalog) {
    super();
  }

  daysFor(plan: string, overrides: Record<string, unknown>): number {
    return new Entitlements(this.catalog, plan as Plan, overrides).limit('audit_retention_days');
  }
}
