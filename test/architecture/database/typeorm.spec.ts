import { createTestDatabase, type TestDatabase } from '@libs/testing';
import { TypeormCalls, type LearnedCall } from '../../../libs/persistence/test/learned-calls.fixture.js';
import { repositoryUses } from '../sources/typeorm-methods.js';

const USES = repositoryUses();

describe('every method that reads or writes through TypeORM', () => {
  let database: TestDatabase;
  let calls: TypeormCalls;
  let learned: LearnedCall[];

  beforeAll(async () => {
    database = await createTestDatabase();
    calls = await TypeormCalls.open(database.url);
    learned = await calls.all();
  });
  afterAll(async () => {
    await calls?.close();
    await database?.drop();
  });

  it('belongs to a repository, and the tests know its statements', () => {
    const methods = new Set(USES.map(({ method }) => method));

    expect(USES.filter(({ path }) => !path.endsWith('.repository.ts'))).toEqual([]);
    expect(learned.map(({ method }) => method).sort()).toEqual([...methods].sort());
    expect(learned.filter(({ statements }) => statements.length === 0)).toEqual([]);
  });

  it('reads no row before it writes', () => {
    const writing = learned.filter(({ statements }) => statements.some(({ text }) => !/^select/i.test(text)));
    const reading = writing.filter(({ statements }) => statements.some(({ text }) => /^select/i.test(text)));

    expect(reading.map(({ method }) => method)).toEqual([]);
  });

  it('returns rows with all their columns', () => {
    const incomplete = learned.flatMap(({ method, result }) =>
      [result].flat().flatMap((row) => missingColumns(row).map((name) => `${method}: ${name}`)),
    );

    expect(incomplete).toEqual([]);
  });

  /** The columns that a row of an entity lacks. Such a row looks complete for TypeScript. */
  function missingColumns(row: unknown): string[] {
    const entity = calls.source.entityMetadatas.find(({ target }) => target === row?.constructor);
    return (entity?.columns ?? []).map(({ propertyName }) => propertyName).filter((name) => !(name in (row as object)));
  }
});
