import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WorkflowBench } from '@libs/testing';
import { RELEASE_MIGRATIONS } from './migrations/migrate.js';
import { SchemaCheck, SchemaRefused } from './schema-check.js';

const FOLDER = join(import.meta.dirname, 'migrations');
/** Changes that break an app of the previous release. A migration may drop a constraint and add a wider one. */
const CONTRACTING =
  /\bdrop (table|column|function|view|type)\b|\brename (to|column)\b|\bset not null\b|\balter column \w+ (set data )?type\b/i;

describe('The schema check', () => {
  let bench: WorkflowBench;

  beforeAll(async () => {
    bench = await WorkflowBench.open();
  });
  afterAll(() => bench.close());
  afterEach(() => bench.rows('delete from schema_requirements'));

  it('accepts the schema of the release', async () => {
    await expect(new SchemaCheck(bench.database).problem()).resolves.toBeNull();
  });

  it('accepts a newer schema that requires no unknown migration', async () => {
    await bench.rows(`insert into schema_requirements values ($1, 'a column went')`, [RELEASE_MIGRATIONS.at(-2)]);
    const older = new SchemaCheck(bench.database, RELEASE_MIGRATIONS.slice(0, -1));

    await expect(older.problem()).resolves.toBeNull();
  });

  it('refuses an older schema, and names the missing migration and the action', async () => {
    const newer = new SchemaCheck(bench.database, [...RELEASE_MIGRATIONS, 'Tomorrow1763683209999']);

    await expect(newer.problem()).resolves.toMatch(
      /behind this release \(Tomorrow1763683209999 is missing\).*landlord migrate/,
    );
    await expect(newer.require()).rejects.toThrow(SchemaRefused);
  });

  it('refuses a schema with a contracting migration that requires an unknown migration', async () => {
    await bench.rows(`insert into schema_requirements values ($1, 'a column went')`, [RELEASE_MIGRATIONS.at(-1)]);
    const older = new SchemaCheck(bench.database, RELEASE_MIGRATIONS.slice(0, -1));

    await expect(older.problem()).resolves.toContain(
      `too new for this release (it asks for ${RELEASE_MIGRATIONS.at(-1)})`,
    );
    await expect(new SchemaCheck(bench.database).problem()).resolves.toBeNull();
  });

  it('refuses a missing schema', async () => {
    await bench.rows('alter table schema_requirements rename to elsewhere');

    const problem = await new SchemaCheck(bench.database).problem();

    await bench.rows('alter table elsewhere rename to schema_requirements');
    expect(problem).toMatch(/landlord migrate/);
  });
});

describe('Every migration', () => {
  it('that removes something inserts the migration that an app must have into schema_requirements', () => {
    const silent = readdirSync(FOLDER)
      .filter((name) => /^\d+-.*\.ts$/.test(name))
      .filter((name) => isSilentContraction(readFileSync(join(FOLDER, name), 'utf8')));

    expect(silent).toEqual([]);
  });

  it('that removes something is detected, unless it inserts a requirement', () => {
    const dropping = `async up() { await runner.query('alter table cells drop column url'); } async down() {}`;
    const saying = dropping.replace(
      '; }',
      `; await runner.query("insert into schema_requirements values ('X', 'y')"); }`,
    );
    const adding = `async up() { await runner.query('create table x ()'); } async down() { runner.query('drop table x'); }`;

    expect([dropping, saying, adding].map(isSilentContraction)).toEqual([true, false, false]);
  });
});

/** Checks only `up` in the text of a migration. `down` may remove anything. */
function isSilentContraction(text: string): boolean {
  const [up = ''] = /async up\([\s\S]*?(?=async down\()/.exec(text) ?? [];
  return CONTRACTING.test(up) && !/insert into schema_requirements/.test(up);
}
