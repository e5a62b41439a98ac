import { createTestDatabase, type TestDatabase } from '@libs/testing';
import { TYPEORM_CALLS } from '../../../libs/persistence/test/typeorm-calls.fixture.js';
import { TypeormCalls, type LearnedCall } from '../../../libs/persistence/test/learned-calls.fixture.js';
import { repositoryUses } from '../sources/typeorm-methods.js';

const USES = repositoryUses();
const PLACES = /^libs\/operator\/src\/|\.repository\.ts$/;

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

  it('belongs to a repository or to a command of operators, and the tests know its statements', () => {
    const methods = new Set(USES.map(({ method }) => method));

    expect(USES.filter(({ path }) => !PLACES.test(path))).toEqual([]);
    expect(learned.map(({ method }) => method).sort()).toEqual([...methods].sort());
    expect(learned.filter(({ statements }) => statements.length === 0)).toEqual([]);
  });

  it('reads no row before it writes', () => {
    const writing = learned.filter(({ statements }) => statements.some(({ text }) => !/^select/i.test(text)));
    const reading = writing.filter(({ statements }) => statements.some(({ text }) => /^select/i.test(text)));

    expect(reading.map(({ method }) => method)).toEqual([]);
  });

  it('returns a row as a later read returns it', async () => {
    const rows: { method: string; row: object; read: object }[] = [];
    for (const { owner, calls: methods } of TYPEORM_CALLS)
      for (const method of Object.keys(methods))
        await calls.call(
          { owner, method },
          { after: async (result) => void rows.push(...(await reads(method, result))) },
        );

    expect(rows.length).toBeGreaterThan(0);
    for (const { method, row, read } of rows) expect({ method, ...row }).toEqual({ method, ...read });
    expect(rows.flatMap(({ method, row, read }) => missing(row, read).map((name) => `${method}: ${name}`))).toEqual([]);
  });

  /** Each row of an entity in the result of a method, and the same row, read again. */
  async function reads(method: string, result: unknown): Promise<{ method: string; row: object; read: object }[]> {
    const pairs: { method: string; row: object; read: object }[] = [];
    for (const row of [result].flat() as object[]) {
      const entity = calls.source.entityMetadatas.find(({ target }) => target === row?.constructor);
      if (!entity) continue;
      const key = entity.primaryColumns.map(({ propertyName }) => [propertyName, row[propertyName as keyof object]]);
      const read: object = await calls.database
        .repository(entity.target)
        .findOneByOrFail(Object.fromEntries(key) as object);
      pairs.push({ method, row: pick(row, Object.keys(read)), read });
    }
    return pairs;
  }

  const pick = (row: object, names: string[]): object =>
    Object.fromEntries(Object.entries(row).filter(([name]) => names.includes(name)));
  /** A row without a column looks complete for TypeScript. */
  const missing = (row: object, read: object): string[] => Object.keys(read).filter((name) => !(name in row));
});
