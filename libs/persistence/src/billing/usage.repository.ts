import { Injectable } from '@nestjs/common';
import { statement, Database } from '../database.js';
import { paged, readPage, type PageOf, type PageRequest } from '../page-of.js';
import { chargesOf, isChargeable } from './charges.js';
import { chargeColumns, chargeSums, type BillingScope, type ChargeLine, type Charges } from './charge-line.js';

const named = (table: string): string => `jsonb_build_object('id', ${table}.id, 'name', ${table}.name)`;

// $1 tenant, $2 division or null, $3 from, $4 until.
const CHARGED = `
  with charged as (
    select d.id, d.name, d.code, d.division_id, d.environment_id, c.*
      from deployments d
      cross join lateral (${chargesOf('d.id', '$3::timestamptz', '$4::timestamptz')}) c
     where d.tenant_id = $1 and ($2::bigint is null or d.division_id = $2)
       and ${isChargeable('$3::timestamptz', '$4::timestamptz')} and (c.periods <> '[]' or c.transfer_gb > 0)
  )`;
const LIST = paged('usage.list', {
  with: CHARGED,
  columns: `${named('c')} as deployment, c.code, ${named('v')} as division, ${named('e')} as environment, ${chargeColumns('c')}, c.periods`,
  rows: 'from charged c join divisions v on v.id = c.division_id join environments e on e.id = c.environment_id where true',
  id: 'c.id',
});
const TOTALS = statement(
  'usage.totals',
  `${CHARGED} select ${chargeColumns('s')} from (select ${chargeSums('c')} from charged c) s`,
);

/** The charges of deployments between two instants, computed from metered usage. */
@Injectable()
export class UsageRepository {
  constructor(private readonly database: Database) {}

  /**
   * Charges per deployment, the newest deployment first. `until` is exclusive. `until` must not be in the future, because future
   * usage is not metered.
   */
  async page(scope: BillingScope, from: Date, until: Date, request: PageRequest): Promise<PageOf<ChargeLine>> {
    const values = [scope.tenantId, scope.divisionScope, from, until];
    return readPage<ChargeLine>(this.database, LIST, values, request);
  }

  /** The sum of all lines of `page`. */
  async totals(scope: BillingScope, from: Date, until: Date): Promise<Charges> {
    const [row] = await this.database.query<Charges>(TOTALS, [scope.tenantId, scope.divisionScope, from, until]);
    return row as Charges;
  }
}
