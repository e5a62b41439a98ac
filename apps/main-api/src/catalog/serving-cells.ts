import type { FeatureLevels } from '@libs/domain';
import type { Cell, KnownCell } from '@libs/persistence/organization';

/** What deployments of the cloud can do in the cell. */
export const featuresOf = ({ features }: Pick<Cell, 'features'>, cloud: string): FeatureLevels => features[cloud] ?? {};

/**
 * The Supervisors that serve regions. For a region that only a drained Supervisor serves, the drained one counts by what it
 * last said.
 */
export class ServingCells {
  constructor(private readonly cells: readonly KnownCell[]) {}

  /** Null when no Supervisor has ever served the region. Prefers a cell in use, then the most specific one. */
  of(cloud: string, region: string): KnownCell | null {
    const forms = [`${cloud}/${region}`, `${cloud}/*`, '*'];
    const rank = (cell: KnownCell): number[] => [
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

function compare(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((value, index) => value !== other[index]);
  return at === -1 ? 0 : (one[at] ?? 0) - (other[at] ?? 0);
}
