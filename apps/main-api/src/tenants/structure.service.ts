import { Injectable } from '@nestjs/common';
import { reachOf } from '@libs/domain';
import type { ActingCaller } from '@libs/http';
import { StructureRepository, type StructureReach } from '@libs/persistence/organization';
import type { StructureView } from './dto/structure.view.js';
import type { SummaryView } from './dto/summary.view.js';
import { toStructureView } from './to-structure-view.js';

/** The tree and the totals of a tenant, limited to the resources that the caller may see. */
@Injectable()
export class StructureService {
  constructor(private readonly structures: StructureRepository) {}

  async tree(actor: ActingCaller): Promise<StructureView> {
    return toStructureView(actor.tenant, await this.structures.tree(actor.tenantId, reachIn(actor)));
  }

  async summary(actor: ActingCaller): Promise<SummaryView> {
    return this.structures.totals(actor.tenantId, reachIn(actor));
  }
}

const reachIn = ({ caller: { holding } }: ActingCaller): StructureReach => ({
  divisions: reachOf(holding, 'division:read'),
  environments: reachOf(holding, 'environment:read'),
  deployments: reachOf(holding, 'deployment:read'),
});
