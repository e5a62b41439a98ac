import { DestructionHold } from './destruction-hold.js';
import { OperatorBench } from '../test/operator.fixture.js';
import { Restoration } from './restoration.js';

describe('A database that was restored from a backup', () => {
  let bench: OperatorBench;

  beforeEach(async () => {
    bench = await OperatorBench.open();
  });
  afterEach(() => bench.close());

  it('gets a new timeline, in which every document keeps its generation', async () => {
    await bench.deployment('kept');
    await bench.rows('update node_documents set generation = 7');
    const before = Math.floor(Date.now() / 1000) - 60;

    const { timeline, documents } = await new Restoration(bench.session).complete('a test');

    expect(timeline).toBeGreaterThan(before);
    expect(documents).toBe(1);
    expect(await bench.rows('select timeline::float8, generation::int from node_documents')).toEqual([
      { timeline, generation: 7 },
    ]);
  });

  it('changes the documents of all nodes without a time limit', async () => {
    const { database } = bench.session;

    const [limit] = await database.transaction(async () => {
      await new Restoration(bench.session)['lock']();
      return database.query({ name: '', text: 'show statement_timeout' });
    });

    expect(limit).toEqual({ statement_timeout: '0' });
  });

  it('never has the timeline of another restore of the same backup, nor an older one', async () => {
    const restoration = new Restoration(bench.session);
    await bench.rows('update installation set timeline = 1');
    const first = await restoration.complete('the first time');
    const ahead = Math.floor(Date.now() / 1000) + 1_000_000;
    await bench.rows('update installation set timeline = $1', [ahead]);

    const second = await restoration.complete('on a machine whose clock was wrong');

    expect(first.timeline).toBeGreaterThan(1_600_000_000);
    expect(second.timeline).toBe(ahead + 1);
  });

  it('reuses no id that may have been assigned after the backup', async () => {
    const { nodeId } = await bench.deployment('earlier');
    await new Restoration(bench.session).complete('a test');

    const later = await bench.deployment('later');

    expect(later.nodeId).toBeGreaterThan(nodeId + 999_999);
    expect(later.deploymentId).toBeGreaterThan(1_000_000);
  });

  it('holds destruction, opens an incident, and continues when the operator ends the hold', async () => {
    const { deploymentId } = await bench.deployment('doomed');
    const operation = await bench.operation('delete_deployment', 'destroying_resources', deploymentId);
    await new Restoration(bench.session).complete('a test');
    const hold = new DestructionHold(bench.session);
    const open = `select kind, detail from incidents where closed_at is null`;

    expect(await hold.look()).toMatchObject({ since: expect.any(Date), waiting: [{ id: operation }] });
    expect(await bench.rows(open)).toMatchObject([{ kind: 'restored_from_backup' }]);
    expect(await hold.end()).toMatchObject([{ id: operation, deployment_id: deploymentId }]);

    expect(await hold.look()).toMatchObject({ since: null });
    expect(await bench.rows(open)).toEqual([]);
    expect(await bench.rows('select wake_at <= now() as due, signal_seq::int from operations')).toEqual([
      { due: true, signal_seq: 1 },
    ]);
    await expect(hold.end()).rejects.toThrow('not on hold');
    expect((await bench.actions()).at(-1)).toMatchObject({ verb: 'resume-destruction', operator: 'ada@engine' });
  });
});
