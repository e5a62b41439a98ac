import { repairedName } from '@libs/domain';
import type { QueryRunner } from 'typeorm';
import { NAMED_ROWS, type NamedRows } from '../../platform/named-rows.js';

interface Named {
  id: string;
  place: string;
  name: string;
}

/**
 * Names of earlier releases lose outer blanks and the characters that nobody sees, because a PUT must take the name that a record
 * shows. A name that would then be the name of a neighbour stays, as does one of which nothing would be left.
 */
export async function repairNames(runner: QueryRunner): Promise<void> {
  for (const rows of NAMED_ROWS) await repair(runner, rows);
}

async function repair(runner: QueryRunner, { table, place, where, isUnique }: NamedRows): Promise<void> {
  const odd = (await runner.query(
    `select id, (${place})::text as place, name from ${table} where (${where}) and name !~ '^[!-~]([ -~]*[!-~])?$' order by id`,
  )) as Named[];
  for (const row of odd) {
    const name = repairedName(row.name);
    if (name === row.name || name === '') continue;
    const isTaken = `exists (select 1 from ${table} o where (${where}) and o.id <> $1 and (${place})::text = $3 and lower(o.name) = lower($2))`;
    await runner.query(
      `update ${table} set name = $2 where id = $1 and $3::text is not null ${isUnique ? `and not ${isTaken}` : ''}`,
      [row.id, name, row.place],
    );
  }
}
