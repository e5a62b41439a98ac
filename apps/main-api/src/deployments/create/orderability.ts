import { Injectable } from '@nestjs/common';
import { requireFeature } from '@libs/catalog';
import { refusalOf } from '@libs/domain';
import type { ActingCaller } from '@libs/http';
import type { Cell } from '@libs/persistence/organization';
import { featuresOf } from '../../catalog/index.js';
import { requirePayment, TenantEntitlements, type TenantEntitlement } from '../../tenants/index.js';
import type { BlockerView } from '../dto/preview.view.js';
import { CellChoice, requireCell } from './cell-choice.js';
import { DeploymentQuota } from './deployment-quota.js';
import { requiredFlags, requireEnterpriseTerms, type DeploymentRequest } from './managed-rules.js';
import { requireDrivers, warningsOf } from './required-drivers.js';
import { SharedMachines } from './shared-machines.js';

/**
 * Tells what would refuse the creation of a valid request now: payment, features and limits of the plan, the region. A
 * creation checks the same under a lock.
 */
@Injectable()
export class Orderability {
  constructor(
    private readonly entitlements: TenantEntitlements,
    private readonly quota: DeploymentQuota,
    private readonly cells: CellChoice,
    private readonly sharedMachines: SharedMachines,
  ) {}

  async of(
    { tenantId }: ActingCaller,
    request: DeploymentRequest,
  ): Promise<{ blockers: BlockerView[]; warnings: string[] }> {
    const entitlements = await this.entitlements.of(tenantId);
    const cell = await this.cells.find(request);
    const checks = [
      () => requirePaymentFor(entitlements, request),
      ...requiredFlags(request).map((flag) => () => requireFeature(entitlements, flag)),
      () => requireEnterpriseTerms(entitlements, request.shape),
      () => this.quota.requireNow(tenantId, entitlements, request),
      () => requireDrivers(requireCell(cell, request), request),
    ];
    const blockers: BlockerView[] = [];
    for (const check of checks) {
      const refusal = await refusalOf(check);
      if (refusal) blockers.push({ code: refusal.code, detail: refusal.detail, members: refusal.members });
    }
    return { blockers, warnings: cell ? await this.warningsOf(cell, request) : [] };
  }

  private async warningsOf(cell: Cell, request: DeploymentRequest): Promise<string[]> {
    const features = featuresOf(cell, request.shape.cloud);
    const ofDrivers = warningsOf(request.shape, features, cell.broker_driver);
    return [...ofDrivers, ...(await this.sharedMachines.warningsOf(cell, request))];
  }
}

/** @throws DomainError payment_method_required */
export function requirePaymentFor(entitlements: TenantEntitlement, { shape }: DeploymentRequest): void {
  if (shape.managedTier !== null) requirePayment(entitlements);
}
