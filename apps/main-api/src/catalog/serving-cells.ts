import { CLUSTER_KINDS, type ClusterKind } from '@libs/catalog';
import {
  weakestFeatures,
  type BrokerDriver,
  type DriverFeature,
  type FeatureLevels,
  type SupportLevel,
} from '@libs/domain';
import type { Cell, KnownCell } from '@libs/persistence/organization';

/** What deployments of the cloud can do in the cell, with the broker of `broker_driver`. */
export const featuresOf = ({ features }: Pick<Cell, 'features'>, cloud: string): FeatureLevels => features[cloud] ?? {};

/** The cell with the broker that a new deployment of this kind gets. A cell of an earlier release has one for all kinds. */
export function cellFor<T extends Cell>(cell: T, cluster: string): T {
  const [broker] = Object.entries(cell.brokers).filter(([, { clusters }]) => clusters.includes(cluster));
  if (!broker) return cell;
  const [driver, { version, features }] = broker;
  return { ...cell, broker_driver: driver as BrokerDriver, broker_version: version ?? '', features };
}

/** What new deployments can do in the cell, whichever of these kinds they are. */
export const weakestOf = (
  cell: Cell,
  cloud: string,
  clusters: readonly ClusterKind[] = CLUSTER_KINDS,
): Record<DriverFeature, SupportLevel> =>
  weakestFeatures(clusters.map((cluster) => featuresOf(cellFor(cell, cluster), cloud)));

/**
 * The Supervisors that serve regions. For a region whose Supervisors are all drained or away, one of them counts by what it last
 * said.
 */
export class ServingCells {
  constructor(private readonly cells: readonly KnownCell[]) {}

  /** Null when no Supervisor has ever served the region. Prefers a cell that takes orders, then the most specific one. */
  of(cloud: string, region: string): KnownCell | null {
    const forms = [`${cloud}/${region}`, `${cloud}/*`, '*'];
    const rank = (cell: KnownCell): number[] => [
      takesOrders(cell) ? 0 : 1,
      cell.drained_at === null ? 0 : 1,
      forms.findIndex((form) => cell.regions.includes(form)),
      -cell.seen_at.getTime(),
    ];
    const serving = this.cells.filter(
      (cell) => cell.cloud_drivers[cloud] !== undefined && forms.some((form) => cell.regions.includes(form)),
    );
    return [...serving].sort((one, other) => compare(rank(one), rank(other)))[0] ?? null;
  }
}

/** Whether new deployments may go to the cell: it is alive, and no operator has drained it. */
export const takesOrders = (cell: KnownCell): boolean => cell.is_alive && cell.drained_at === null;

function compare(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((value, index) => value !== other[index]);
  return at === -1 ? 0 : (one[at] ?? 0) - (other[at] ?? 0);
}
