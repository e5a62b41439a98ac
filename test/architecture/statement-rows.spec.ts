import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import '@libs/operator';
import { dataSourceOptions, declaredStatements } from '@libs/persistence';
import '@libs/persistence/billing';
import '@libs/persistence/channels';
import '@libs/persistence/ledger';
import '@libs/persistence/organization';
import '@libs/persistence/platform';
import '@libs/persistence/runtime';
import { createTestDatabase, type TestDatabase } from '@libs/testing';
import '@libs/workflow';
import { DataSource, type EntityMetadata } from 'typeorm';
import ts from 'typescript';
import { describeStatements, type DescribedColumn, type DescribedStatements } from './sources/described-statements.js';
import { rowDifferences } from './sources/row-differences.js';
import { shapeOf } from './sources/row-shape.js';
import { sourceProgram, type SourceProgram } from './sources/source-program.js';
import { nodesOf, ROOT, sourcesUnder } from './sources/sources.js';
import { StatementQueries, type StatementQuery } from './sources/statement-queries.js';

/** With fewer, the test no longer finds the statements, or the places that run them. */
const FEWEST_STATEMENTS = 590;
const FEWEST_ROWS = 370;

const PERSISTENCE = 'libs/persistence/src';
const WORKFLOW = 'libs/workflow/src';
const OPERATOR = 'libs/operator/src';
const COMPARED = [PERSISTENCE, WORKFLOW, OPERATOR];
/** Sources outside these folders that run a statement: the row of `tenant.found` is read without a type. */
const ELSEWHERE = ['apps/main-api/src/account/sign-up.service.ts'];
/**
 * Places whose statement or row is not readable from the source, with the reason. The list may only shrink: an entry
 * that is no longer needed fails.
 */
const UNREADABLE: Record<string, string> = {
  [`${PERSISTENCE}/ledger/audit-entries.repository.ts: statement`]: 'the text depends on the filter',
  [`${PERSISTENCE}/ledger/audit-entries.repository.ts: search.statement`]: 'the text depends on the filter',
  [`${PERSISTENCE}/page-of.ts: text`]: 'the text depends on the list, on its order and on the cursor',
  [`${PERSISTENCE}/runtime/nodes/node-logs.repository.ts: list count`]: 'the text depends on the filter',
  [`${OPERATOR}/backup-record.ts: readOf(name)`]: 'one statement for each table',
  [`${OPERATOR}/sealed-rows.ts: this.uses`]: 'one statement for each sealed column',
  [`${OPERATOR}/sealed-rows.ts: this.batch`]: 'one statement for each sealed column',
  [`${PERSISTENCE}/channels/channel-pace.repository.ts: SINCE[use]`]: 'one statement for each use',
  [`${PERSISTENCE}/organization/tenant-ownership.repository.ts: prepared`]:
    'the installation runs the same statement without `Database`',
};

/**
 * Columns of a result that are never null although their table or their join allows null, with the reason. The list
 * may only shrink.
 */
const NEVER_NULL: Record<string, string> = {
  'invoice_payment.take number': 'an issued invoice has a number',
  'invoice.issue number': 'the statement sets it',
  'invoice.issue dueAt': 'the statement sets it',
  'metric.latest last_seen_at': 'the condition leaves out null',
  'document.rows listen_address': 'the condition leaves out null',
  'node.record_statuses seenAt': 'the statement sets it',
  'incident.decisions decision': 'the condition leaves out null',
  'access_rule.driver driver': 'the insert of a node sets it',
  'diagnostic_fact.nodes driver': 'the insert of a node sets it',
  'diagnostic_fact.nodes version': 'the insert of a node sets it',
  'document.rows broker_driver': 'the insert of a node sets it',
  'document.rows broker_version': 'the insert of a node sets it',
  'node.list broker_driver': 'the insert of a node sets it',
  'node.list broker_version': 'the insert of a node sets it',
  'node.list_of broker_driver': 'the insert of a node sets it',
  'node.list_of broker_version': 'the insert of a node sets it',
};

describe('every statement', () => {
  let database: TestDatabase;
  let source: DataSource;
  let described: DescribedStatements;
  let program: SourceProgram;
  let queries: StatementQuery[];

  beforeAll(async () => {
    database = await createTestDatabase();
    // Sets the parsers of this process, which decide what a row contains.
    const secretKeys = `k1:${Buffer.alloc(32).toString('base64')}`;
    const options = { databaseUrl: database.url, secretKeys, applicationName: 'test', poolSize: 1 };
    source = await new DataSource(dataSourceOptions(options)).initialize();
    described = await describeStatements(database.url, declaredStatements());
    program = sourceProgram(...COMPARED);
    queries = new StatementQueries(program).all();
  });
  afterAll(async () => {
    await source?.destroy();
    await database?.drop();
  });

  const isReadable = ({ statement, row }: StatementQuery): boolean => statement !== undefined && row !== undefined;

  it('fits the migrated schema', () => {
    expect(described.columns.size).toBeGreaterThanOrEqual(FEWEST_STATEMENTS);
    expect(described.refused).toEqual([]);
  });

  it('runs in persistence, workflow and operator, whose rows this test compares', () => {
    const running = sourcesUnder('apps', 'libs')
      .filter((path) => !COMPARED.some((folder) => path.startsWith(folder)))
      .filter((path) => /database\.query\b/i.test(readFileSync(join(ROOT, path), 'utf8')));

    expect(running).toEqual(ELSEWHERE);
  });

  it('is readable from the source at each place that reads its rows, except for a reason', () => {
    const unreadable = queries.filter((query) => !isReadable(query)).map(({ place }) => place);

    expect([...new Set(unreadable)].sort()).toEqual(Object.keys(UNREADABLE).sort());
    expect(queries.filter(isReadable).length).toBeGreaterThanOrEqual(FEWEST_ROWS);
  });

  it('returns exactly the columns of its row type, with their types and their nullability', () => {
    const idle = new Set(Object.keys(NEVER_NULL));
    const differences = queries.filter(isReadable).flatMap(({ place, statement = '', row = [] }) => {
      const isNeverNull = ({ name }: DescribedColumn): boolean => {
        idle.delete(`${statement} ${name}`);
        return `${statement} ${name}` in NEVER_NULL;
      };
      const columns = described.columns.get(statement);
      if (!columns) return [`${place}: this test does not load the statement ${statement}`];
      return rowDifferences(columns, row, isNeverNull).map((text) => `${place} (${statement}): ${text}`);
    });

    expect(differences).toEqual([]);
    expect([...idle]).toEqual([]);
  });

  it('has a type whose properties are the columns, if it is an entity that TypeORM reads', async () => {
    const texts = source.entityMetadatas.map(({ name, tableName }) => [name, `select * from ${tableName}`] as const);
    const { columns } = await describeStatements(database.url, new Map(texts));
    const classes = program.files.flatMap((file) => nodesOf(file, ts.isClassDeclaration));
    const differences = source.entityMetadatas.flatMap((entity) => {
      const declaration = classes.find((one) => one.name?.text === entity.name && /^@Entity\(/.test(one.getText()));
      const row = declaration ? shapeOf(program.checker, program.checker.getTypeAtLocation(declaration)) : [];
      const read = (columns.get(entity.name) ?? []).map((column) => asRead(entity, column));
      return rowDifferences(read, row, () => false).map((text) => `${entity.name}: ${text}`);
    });

    expect(texts.length).toBeGreaterThan(0);
    expect(differences).toEqual([]);
  });
});

/** The column as TypeORM returns it: a date as text, and null for an empty text that stands for null. */
function asRead({ columns }: EntityMetadata, column: DescribedColumn): DescribedColumn {
  const mapped = columns.find(({ databaseName }) => databaseName === column.name);
  const kind = mapped?.type === 'date' ? 'string' : column.kind;
  return { ...column, kind, isNullable: column.isNullable === true || mapped?.transformer !== undefined };
}
