import { Injectable } from '@nestjs/common';
import { statement, Database } from '../database.js';
import type { Cell as CellEntity } from './entities/cell.entity.js';
import { IS_ALIVE } from '../living-cell.js';

/** The announcement of a Supervisor. */
export type Cell = Pick<
  CellEntity,
  | 'cell'
  | 'url'
  | 'agent_url'
  | 'regions'
  | 'cloud_drivers'
  | 'broker_driver'
  | 'broker_version'
  | 'features'
  | 'brokers'
  | 'version'
>;

/** A cell that an operator may have drained, or whose Supervisor may be away. */
export interface KnownCell extends Cell, Pick<CellEntity, 'drained_at' | 'seen_at'> {
  /** Whether one of its processes has reported within a minute, and the last one has not stopped since. */
  is_alive: boolean;
}

// Only a process that starts nodes has the broker version of its nodes. Announcements of other processes must not overwrite it.
const ANNOUNCE = statement(
  'cell.announce',
  `insert into cells (cell, url, agent_url, regions, cloud_drivers, broker_driver, broker_version, features, brokers, version, seen_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8::jsonb, $9::jsonb, $10, now())
   on conflict (cell) do update
     set url = excluded.url, agent_url = excluded.agent_url, regions = excluded.regions, seen_at = now(),
         cloud_drivers = excluded.cloud_drivers, version = excluded.version,
         broker_driver = case when $11 then excluded.broker_driver else cells.broker_driver end,
         broker_version = case when $11 then excluded.broker_version else cells.broker_version end,
         features = case when $11 then excluded.features else cells.features end,
         brokers = case when $11 then excluded.brokers else cells.brokers end`,
);

const COLUMNS =
  'cell, url, agent_url, regions, cloud_drivers, broker_driver, broker_version, features, brokers, version';

const KNOWN = `${COLUMNS}, drained_at, seen_at, ${IS_ALIVE} as is_alive`;

const FIND_FOR_REGION = statement(
  'cell.for_region',
  `select ${KNOWN} from cells c where regions && array[$1 || '/' || $2, $1 || '/*', '*'] and drained_at is null
    order by is_alive desc, ($1 || '/' || $2) = any(regions) desc, ($1 || '/*') = any(regions) desc, seen_at desc limit 1`,
);

const LIST = statement('cell.list', `select ${KNOWN} from cells c order by cell limit 1000`);

/** The regions of each Supervisor. */
@Injectable()
export class CellsRepository {
  constructor(private readonly database: Database) {}

  /** `startsNodes`: whether the announcing process starts nodes. Only then its broker data is stored. */
  async announce(cell: Cell, startsNodes: boolean): Promise<void> {
    const drivers = JSON.stringify(cell.cloud_drivers);
    const [features, brokers] = [JSON.stringify(cell.features), JSON.stringify(cell.brokers)];
    const broker = [cell.broker_driver, cell.broker_version, features, brokers, cell.version, startsNodes];
    await this.database.execute(ANNOUNCE, [cell.cell, cell.url, cell.agent_url, cell.regions, drivers, ...broker]);
  }

  /** All cells, also those that an operator drained and those that are away. */
  async list(): Promise<KnownCell[]> {
    return this.database.query<KnownCell>(LIST);
  }

  /**
   * The cell for new deployments of the region. Prefers a cell that is alive, then the most specific one. Null when none has ever
   * served the region.
   */
  async findForRegion(cloud: string, region: string): Promise<KnownCell | null> {
    return this.database.first<KnownCell>(FIND_FOR_REGION, [cloud, region]);
  }
}
