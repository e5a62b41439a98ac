import { WorkflowBench } from '@libs/testing';
import { statement } from './database.js';
import { TransactionMisuse, type IsComplete } from './open-transaction.js';

const INSERT = statement('test.insert_last', 'insert into last_names (name) values ($1)');
const REFUSED = statement('test.refused_last', 'select 1 / 0 as share');
const NAMES = statement('test.names_last', 'select name from last_names order by name');
/** Waits until the transaction that inserted the name ends. */
const INSERT_ALSO = `insert into last_names (name) values ($1) on conflict (name) do nothing returning name`;

const isNoted: IsComplete = (notes) => notes.includes('done');

describe('The last statements of a transaction', () => {
  let bench: WorkflowBench;

  beforeAll(async () => {
    bench = await WorkflowBench.open();
    await bench.rows('create table last_names (name text primary key)');
  });
  afterAll(() => bench.close());
  beforeEach(() => bench.rows('delete from last_names'));

  const insertLast = async (name: string): Promise<void> => {
    await bench.database.lastTogether([bench.database.execute(INSERT, [name])]);
  };
  const names = async (): Promise<string[]> =>
    (await bench.database.query<{ name: string }>(NAMES)).map(({ name }) => name);

  it('are committed before the work ends', async () => {
    const { database } = bench;
    const events: string[] = [];
    await database.transaction(async () => {
      database.afterCommit(() => events.push('after the commit'));
      database.note('done');
      await Promise.all([database.execute(INSERT, ['first']), insertLast('last')]);
      expect(await bench.rows(INSERT_ALSO, ['last'])).toEqual([]);
      events.push('end of the work');
    }, isNoted);

    expect(await names()).toEqual(['first', 'last']);
    expect(events).toEqual(['end of the work', 'after the commit']);
  });

  it('are committed after the work when the notes are missing, in a savepoint, and when the opener writes later', async () => {
    const { database } = bench;
    const notes = async (): Promise<void> => {
      await insertLast('without a note');
      await database.execute(INSERT, ['later']);
    };
    const inSavepoint = async (): Promise<void> => {
      database.note('done');
      await database.savepoint(() => insertLast('in a savepoint'));
      await database.execute(INSERT, ['after the savepoint']);
    };
    const openerWrites = async (): Promise<void> => {
      database.note('done');
      await insertLast('of the work');
      await database.execute(INSERT, ['of the opener']);
    };
    await database.transaction(notes, isNoted);
    await database.transaction(inSavepoint, isNoted);
    await database.transaction(openerWrites);
    await insertLast('without a transaction');

    expect(await names()).toHaveLength(7);
  });

  it('undo everything when one is refused, and the reason is the refusal', async () => {
    const { database } = bench;
    const events: string[] = [];
    const work = database.transaction(async () => {
      database.afterCommit(() => events.push('after the commit'));
      database.note('done');
      await database.execute(INSERT, ['first']);
      await Promise.all([database.query(REFUSED), insertLast('last')]);
    }, isNoted);

    await expect(work).rejects.toThrow('division by zero');
    expect(await names()).toEqual([]);
    expect(events).toEqual([]);
  });

  it('undo everything when one fails before its statement is sent', async () => {
    const { database } = bench;
    const unsent = async (): Promise<void> => {
      await Promise.resolve();
      throw new TypeError('cannot be sealed');
    };
    const work = database.transaction(async () => {
      database.note('done');
      await database.execute(INSERT, ['first']);
      await database.lastTogether([unsent(), database.execute(INSERT, ['last'])]);
    }, isNoted);

    await expect(work).rejects.toThrow('cannot be sealed');
    expect(await names()).toEqual([]);
  });

  it('are not taken for committed when the work ignores that one was refused', async () => {
    const { database } = bench;
    const work = database.transaction(async () => {
      database.note('done');
      await Promise.allSettled([database.query(REFUSED), insertLast('last')]);
    }, isNoted);

    await expect(work).rejects.toThrow(TransactionMisuse);
    expect(await names()).toEqual([]);
  });

  it('are followed by no other statement of the work', async () => {
    const { database } = bench;
    const later = [
      () => database.execute(INSERT, ['later']),
      () => database.savepoint(() => database.execute(INSERT, ['later'])),
      async () => database.manager.query(`insert into last_names (name) values ('later')`),
    ];
    for (const [at, statementLater] of later.entries())
      await database.transaction(async () => {
        database.note('done');
        await insertLast(`last ${String(at)}`);
        await expect(statementLater()).rejects.toThrow(TransactionMisuse);
      }, isNoted);

    expect(await names()).toEqual(['last 0', 'last 1', 'last 2']);
  });
});
