import type { Catalog } from '@libs/catalog';
import type { KnownCell } from '@libs/persistence/organization';
import { OperatorRefused } from '../operator-refused.js';

/** What the operator said about the place of a new machine. */
export interface PlaceRequest {
  cell?: string;
  region?: string;
  zone?: string;
}

/** The place of a new machine. */
export interface MachinePlace {
  cell: string;
  /** The URL of the gateway of the cell. */
  agentUrl: string;
  region: string;
  zone: string;
  /** Whether deployments of this region run on machines. */
  isUsed: boolean;
}

interface ServedRegion {
  region: string;
  zones: readonly string[];
  cell: KnownCell;
  isUsed: boolean;
}

const DRIVER = 'machines';

/**
 * Chooses the place of a new machine: the first region that a cell serves, and its first zone. Regions whose deployments run on
 * machines are first. @throws OperatorRefused naming the valid values
 */
export function choosePlace(request: PlaceRequest, cells: readonly KnownCell[], catalog: Catalog): MachinePlace {
  const candidates = cells.filter(({ cell }) => request.cell === undefined || cell === request.cell);
  if (candidates.length === 0) throw new OperatorRefused(noCell(request.cell, cells));
  const served = servedRegions(candidates, catalog);
  const places = request.region === undefined ? served : served.filter(({ region }) => region === request.region);
  const chosen = places.find(({ isUsed }) => isUsed) ?? places[0];
  if (!chosen) {
    const names = served.map(({ region }) => region).join(', ') || 'none';
    throw new OperatorRefused(`No cell serves the region ${request.region ?? ''}. The regions are: ${names}.`);
  }
  const { region, zones, cell, isUsed } = chosen;
  const zone = request.zone ?? zones[0] ?? region;
  if (!zones.includes(zone))
    throw new OperatorRefused(`The region ${region} has no zone ${zone}. The zones are: ${zones.join(', ')}.`);
  return { cell: cell.cell, agentUrl: cell.agent_url, region, zone, isUsed };
}

const noCell = (cell: string | undefined, cells: readonly KnownCell[]): string =>
  cells.length === 0
    ? 'No Supervisor has ever registered. Start Landlord first: landlord start'
    : `There is no cell ${cell ?? ''}. The cells are: ${cells.map((one) => one.cell).join(', ')}.`;

function servedRegions(cells: readonly KnownCell[], catalog: Catalog): ServedRegion[] {
  return catalog.clouds().flatMap(({ key: cloud }) =>
    catalog.regions(cloud).flatMap(({ key: region, zones }): ServedRegion[] => {
      const cell = servingCell(cells, cloud, region);
      return cell ? [{ region, zones, cell, isUsed: cell.cloud_drivers[cloud] === DRIVER }] : [];
    }),
  );
}

/** The most specific cell, as for new deployments. A drained cell comes last. */
function servingCell(cells: readonly KnownCell[], cloud: string, region: string): KnownCell | undefined {
  const patterns = [`${cloud}/${region}`, `${cloud}/*`, '*'];
  const ranked = cells
    .map((cell) => ({ cell, rank: patterns.findIndex((pattern) => cell.regions.includes(pattern)) }))
    .filter(({ rank }) => rank >= 0)
    .sort((a, b) => Number(a.cell.drained_at !== null) - Number(b.cell.drained_at !== null) || a.rank - b.rank);
  return ranked[0]?.cell;
}
