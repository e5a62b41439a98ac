import { jest } from '@jest/globals';
import { WorkflowBench } from '@libs/testing';
import { Raw } from 'typeorm';
import { Database, statement, statementText } from './database.js';
import { TransactionMisuse } from './open-transaction.js';
import { Tenant } from './organization/entities/tenant.entity.js';
import { pipelined } from './pipelined.js';
import { WritableDatabase } from './writable-database.js';

const INSERT = statement('test.insert', 'insert into installation (name) values ($1)');
/** Divides by the input, and returns how many inputs shared the statement. */
const BATCHED = statement(
  'test.gathered',
  `select i.n, i.value, 100 / i.value as share, cardinality($1::int[]) as inputs
     from unnest($1::int[]) with ordinality as i(value, n) where i.value <> 13`,
);
const BATCHED_NAMES = statement(
  'test.gathered_names',
  'select i.n, i.name from unnest($1::text[]) with ordinality as i(name, n) join installation x on x.name = i.name',
);
const REFUSED = statement('test.refused', 'select 1 / 0 as share');
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

  it('reports a commit that PostgreSQL turned into a rollback, because the work ignored a refused statement', async () => {
    const { database } = bench;
    const work = database.transaction(async () => {
      await database.query(INSERT, ['lost']);
      await database.query(REFUSED).catch(() => undefined);
    });

    await expect(work).rejects.toThrow(TransactionMisuse);
    expect(await database.query(NAMES)).toEqual([]);
  });

  it('looks whether PostgreSQL can write after a call of TypeORM found a full disk', async () => {
    const { database } = bench;
    await bench.rows(`create function no_space() returns text immutable language plpgsql as
      $$ begin raise exception 'no space' using errcode = 'disk_full'; end $$`);
    const note = jest.spyOn(WritableDatabase.prototype, 'note');
    const read = database.repository(Tenant).find({ where: { name: Raw((column) => `${column} = no_space()`) } });
    await expect(read).rejects.toMatchObject({ code: '53100' });

    expect(note).toHaveBeenCalledWith(expect.objectContaining({ code: '53100' }));
    note.mockRestore();
  });

  it('undoes everything, for the reason of the first refusal, when one of several writes fails before or after it is sent', async () => {
    const { database } = bench;
    const unsent = async (): Promise<void> => {
      await Promise.resolve();
      throw new TypeError('cannot be sealed');
    };
    const write = (failure: () => Promise<unknown>): Promise<unknown> =>
      database.transaction(() => pipelined([database.query(INSERT, ['a']), failure(), database.query(INSERT, ['b'])]));

    await expect(write(unsent)).rejects.toThrow('cannot be sealed');
    await expect(write(() => database.query(REFUSED))).rejects.toThrow('division by zero');
    expect(await database.query(NAMES)).toEqual([]);
  });

  it('leaves no transaction open on a connection after a work that fails before its first statement', async () => {
    const { database } = bench;
    for (let tries = 0; tries < 25; tries += 1)
      await expect(database.transaction(() => Promise.reject(new TypeError('no')))).rejects.toThrow('no');

    expect(
      await bench.rows(`select pid from pg_stat_activity where datname = current_database() and state like 'idle in%'`),
    ).toEqual([]);
    await database.transaction(() => database.query(INSERT, ['kept']));
    expect(await database.query(NAMES)).toEqual([{ name: 'kept' }]);
  });

  it('runs callbacks after the commit, never before it and never without it', async () => {
    const { database } = bench;
    const notifications: string[] = [];
    await database.transaction(async () => {
      database.afterCommit(() => notifications.push('kept'));
      await database
        .savepoint(async () => {
          database.afterCommit(() => notifications.push('undone'));
          database.note('undone');
          throw new TypeError('undo');
        })
        .catch(() => undefined);
      expect(notifications).toEqual([]);
      expect(database.notes()).toEqual([]);
    });
    await database
      .transaction(async () => {
        database.afterCommit(() => notifications.push('rolled back'));
        throw new TypeError('no');
      })
      .catch(() => undefined);

    expect(notifications).toEqual(['kept']);
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

interface BatchedRow {
  n: number;
  value: number;
  share: number;
  inputs: number;
}

describe('Reads that share a statement', () => {
  let bench: WorkflowBench;

  beforeAll(async () => {
    bench = await WorkflowBench.open();
  });
  afterAll(() => bench.close());

  const batched = (value: number) => bench.database.batched<BatchedRow>(BATCHED, [value]);

  it('run once for the calls of one turn, and each call gets the row of its own values', async () => {
    const rows = await Promise.all([5, 13, 20, 5].map(batched));

    expect(rows).toEqual([
      { n: 1, value: 5, share: 20, inputs: 4 },
      undefined,
      { n: 3, value: 20, share: 5, inputs: 4 },
      { n: 4, value: 5, share: 20, inputs: 4 },
    ]);
  });

  it('run for at most a hundred values at once, and answer all', async () => {
    const values = Array.from({ length: 1050 }, (_, at) => at + 14);
    const rows = await Promise.all(values.map(batched));

    expect(rows.map((row) => row?.value)).toEqual(values);
    expect(Math.max(...rows.map((row) => row?.inputs ?? 0))).toBe(100);
  });

  it('fail only for the call whose values the statement refuses', async () => {
    const outcomes = await Promise.allSettled([50, 0, 25].map(batched));

    expect(outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value?.share : 'refused'))).toEqual([
      2,
      'refused',
      4,
    ]);
    expect((await batched(10))?.share).toBe(10);
  });

  it('run alone in a transaction, and see its writes', async () => {
    const { database } = bench;
    const readName = async (): Promise<string | undefined> =>
      (await database.batched<{ n: number; name: string }>(BATCHED_NAMES, ['written']))?.name;
    const inside = database.transaction(async () => {
      await database.execute(INSERT, ['written']);
      expect(await readName()).toBe('written');
      expect(await Promise.resolve(readName())).toBe('written');
      return 'seen';
    });

    expect(await inside).toBe('seen');
    await bench.rows('delete from installation');
    expect(await readName()).toBeUndefined();
  });
});
