import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { built } from './apps.mjs';

/** Partitions for days and months depend on the calendar; only their parent tables are part of the schema. */
const TABLES = `
  select c.oid, c.relname as name, pg_get_partkeydef(c.oid) as partitioned_by,
         pg_get_expr(c.relpartbound, c.oid) as bound, parent.relname as parent
    from pg_class c
    left join pg_inherits i on i.inhrelid = c.oid and c.relispartition
    left join pg_class parent on parent.oid = i.inhparent
   where c.relnamespace = 'public'::regnamespace and (c.relkind = 'p' or (c.relkind = 'r' and not c.relispartition))
   order by c.relname`;
const COLUMNS = `
  select a.attname as name, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as required,
         pg_get_expr(d.adbin, d.adrelid) as fallback, a.attidentity as identity, a.attgenerated as generated
    from pg_attribute a
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
   where a.attrelid = $1 and a.attnum > 0 and not a.attisdropped
   order by a.attnum`;
const CONSTRAINTS = `
  select conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where conrelid = $1 and contype <> 'n' and conparentid = 0
   order by contype, conname`;
const INDEXES = `
  select pg_get_indexdef(i.indexrelid) as definition
    from pg_index i
    left join pg_constraint k on k.conindid = i.indexrelid and k.conrelid = i.indrelid
    left join pg_inherits h on h.inhrelid = i.indexrelid
   where i.indrelid = $1 and k.oid is null and h.inhrelid is null
   order by 1`;
const TRIGGERS = `
  select pg_get_triggerdef(oid) as definition
    from pg_trigger where tgrelid = $1 and not tgisinternal and tgparentid = 0 order by tgname`;
const OTHERS = {
  views: `select format(E'create view %s as\\n%s', relname, pg_get_viewdef(oid)) as definition
            from pg_class where relnamespace = 'public'::regnamespace and relkind in ('v', 'm') order by relname`,
  types: `select format('create type %s as enum (%s)', t.typname, string_agg(quote_literal(e.enumlabel), ', ' order by e.enumsortorder)) as definition
            from pg_type t join pg_enum e on e.enumtypid = t.oid
           where t.typnamespace = 'public'::regnamespace group by t.typname order by t.typname`,
  functions: `select pg_get_functiondef(p.oid) as definition
                from pg_proc p
               where p.pronamespace = 'public'::regnamespace and p.prokind in ('f', 'p')
                 and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
               order by p.proname, p.oid::regprocedure::text`,
};

/** The schema of a migrated database, read from the catalogs: the result of the migrations, not their text. */
export async function schemaFiles() {
  return { 'schema.sql': await onMigratedDatabase(dumpSchema) };
}

async function onMigratedDatabase(work) {
  const { ensureDatabase, stopDatabase } = await built('libs/launcher/src/index.js');
  const { migrate } = await built('libs/persistence/src/migrations/index.js');
  const dataDir = mkdtempSync(join(tmpdir(), 'landlord-golden-'));
  try {
    const { url } = await ensureDatabase({ dataDir });
    await migrate(url);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    return await work(client).finally(() => client.end());
  } finally {
    await stopDatabase({ dataDir });
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function dumpSchema(client) {
  const rows = async (query, ...values) => (await client.query(query, values)).rows;
  const parts = [];
  for (const table of await rows(TABLES)) parts.push(await describeTable(rows, table));
  for (const query of Object.values(OTHERS))
    parts.push(...(await rows(query)).map(({ definition }) => ended(definition)));
  return `${parts.join('\n\n')}\n`;
}

async function describeTable(rows, { oid, name, partitioned_by: partitionedBy, bound, parent }) {
  const columns = (await rows(COLUMNS, oid)).map((column) => `  ${describeColumn(column)}`);
  const constraints = (await rows(CONSTRAINTS, oid)).map((row) => `  constraint ${row.name} ${row.definition}`);
  const partitioning = partitionedBy ? ` partition by ${partitionedBy}` : '';
  const head = parent
    ? `create table ${name} partition of ${parent} ${bound}${partitioning};`
    : `create table ${name} (\n${[...columns, ...constraints].join(',\n')}\n)${partitioning};`;
  const rest = [...(await rows(INDEXES, oid)), ...(await rows(TRIGGERS, oid))];
  return [head, ...rest.map(({ definition }) => ended(definition))].join('\n');
}

function describeColumn({ name, type, required, fallback, identity, generated }) {
  const parts = [name, type];
  if (required) parts.push('not null');
  if (identity) parts.push(`generated ${identity === 'a' ? 'always' : 'by default'} as identity`);
  if (generated) parts.push(`generated always as (${fallback}) ${generated === 's' ? 'stored' : 'virtual'}`);
  else if (fallback !== null) parts.push(`default ${fallback}`);
  return parts.join(' ');
}

const ended = (definition) => `${definition.trimEnd().replace(/;$/, '')};`;
