import { WorkflowBench } from '@libs/testing';
import { Database, statement, statementText, TransactionMisuse } from './database.js';

const INSERT = statement('test.insert', 'insert into installation (name) values ($1)');
const NAMES = statement('test.names', 'select name from installation');

describe('The database', () => {
  let bench: WorkflowBench;

  beforeAll(async () => {
    bench = await WorkflowBench.open();
  });
  afterAll(() => bench.close());
  beforeEach(() => bench.rows('delete from installation'));

  it('commits when the work resolves and rolls back when it rejects', async () => {
    const { database } = bench;
    await expect(
      database.transaction(async () => {
        await database.query(INSERT, ['lost']);
        throw new TypeError('no');
      }),
    ).rejects.toThrow('no');
    await database.transaction(() => database.query(INSERT, ['kept']));

    expect(await database.query(NAMES)).toEqual([{ name: 'kept' }]);
  });

  it('runs callbacks after the commit, never before it and never without it', async () => {
    const { database } = bench;
    const wokenUp: string[] = [];
    await database.transaction(async () => {
      database.afterCommit(() => wokenUp.push('kept'));
      await database
        .savepoint(async () => {
          database.afterCommit(() => wokenUp.push('undone'));
          database.note('undone');
          throw new TypeError('undo');
        })
        .catch(() => undefined);
      expect(wokenUp).toEqual([]);
      expect(database.notes()).toEqual([]);
    });
    await database
      .transaction(async () => {
        database.afterCommit(() => wokenUp.push('rolled back'));
        throw new TypeError('no');
      })
      .catch(() => undefined);

    expect(wokenUp).toEqual(['kept']);
  });

  it('keeps the transactions of two databases apart, also one inside the other', async () => {
    const other = new Database(bench.database.dataSource);
    await bench.database.transaction(async () => {
      expect(other.isInTransaction).toBe(false);
      await other.transaction(async () => {
        await bench.database.query(INSERT, ['outer']);
        bench.database.note('of the outer');

        expect([...bench.database.notes(), ...other.notes()]).toEqual(['of the outer']);
        expect(await other.query(NAMES)).toEqual([]);
        expect(await bench.database.query(NAMES)).toEqual([{ name: 'outer' }]);
      });
    });
  });

  it('keeps a transaction usable after a savepoint that failed', async () => {
    const { database } = bench;
    await database.transaction(async () => {
      await database.savepoint(() => database.query(statement('test.broken', 'select 1 / 0'))).catch(() => undefined);
      await database.query(INSERT, ['after']);
    });

    expect(await database.query(NAMES)).toEqual([{ name: 'after' }]);
  });

  it('refuses a nested transaction, and two statements with the same name', async () => {
    const { database } = bench;
    await expect(database.transaction(() => database.transaction(async () => 1))).rejects.toThrow(TransactionMisuse);
    await expect(database.savepoint(async () => 1)).rejects.toThrow(TransactionMisuse);
    expect(() => statement('test.insert', 'select 2')).toThrow(TypeError);
    expect(statementText('test.names')).toBe('select name from installation');
  });
});
