import { Inject, Injectable } from '@nestjs/common';
import { Catalog } from '@libs/catalog';
import { reachOf, type DivisionId } from '@libs/domain';
import type { ActingCaller } from '@libs/http';
import { SummariesRepository, type HealthTotals } from '@libs/persistence/runtime';
import { SUPERVISOR_CONFIG, type SupervisorConfig } from '../config.js';
import type { HealthSummaryView } from './health-summary.view.js';

const BYTES_PER_GIB = 1024 ** 3;

/** Health summaries of the deployments of this cell. */
@Injectable()
export class SummariesService {
  private readonly memoryBytes: Record<string, number>;

  constructor(
    private readonly summaries: SummariesRepository,
    catalog: Catalog,
    @Inject(SUPERVISOR_CONFIG) private readonly config: SupervisorConfig,
  ) {
    const sizes = catalog.tiers().map(({ key, memory_gib }) => [key, memory_gib * BYTES_PER_GIB] as const);
    this.memoryBytes = Object.fromEntries(sizes);
  }

  /** Returns the health of one division, or of the tenant if null, for the deployments that the caller may read. */
  async health({ tenantId, caller }: ActingCaller, divisionId: DivisionId | null): Promise<HealthSummaryView> {
    const { SUPERVISOR_CELL: cell, NODE_UNREACHABLE_SECONDS: seconds } = this.config;
    const scope = { cell, tenantId, divisionId, reach: reachOf(caller.holding, 'deployment:read') };
    return toView(await this.summaries.health(scope, seconds, this.memoryBytes));
  }
}

const toView = (totals: HealthTotals): HealthSummaryView => ({
  deployments: { total: totals.total, by_status: totals.by_status },
  nodes: { total: totals.nodes, reachable: totals.reachable, unreachable: totals.unreachable },
  cpu_percent: rounded(totals.cpu_percent),
  memory_percent: rounded(totals.memory_percent),
  disk_percent: rounded(totals.disk_percent),
  generated_at: totals.generated_at.toISOString(),
});

/** The gauges are not more precise than two decimals. */
const rounded = (percent: number | null): number | null => (percent === null ? null : Math.round(percent * 100) / 100);
