import { eventually, type ApiAnswer } from '@libs/testing';
import pg from 'pg';
import { World } from '../matrix/world.js';

const AT_ONCE = 6;
const statusesOf = (answers: readonly ApiAnswer[]): number[] => answers.map(({ status }) => status).sort();

describe('Of rotations at the same time', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.start();
  });
  afterAll(() => world.stop());

  const waiting = async (): Promise<number> => {
    const sql = `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    return (await world.cloud.rows<{ count: number }>(sql))[0]?.count ?? 0;
  };

  /** Sends the requests while a transaction holds the row, so that all of them begin before the first one ends. */
  async function whileHeld(table: string, id: number, rotate: () => Promise<ApiAnswer>): Promise<ApiAnswer[]> {
    const holder = new pg.Client({ connectionString: world.cloud.database.url });
    await holder.connect();
    try {
      await holder.query('begin');
      await holder.query(`select 1 from ${table} where id = $1 for update`, [id]);
      const answers = Promise.all(Array.from({ length: 3 }, rotate));
      await eventually('all wait for the row', async () => ((await waiting()) === 3 ? true : null));
      await holder.query('commit');
      return await answers;
    } finally {
      await holder.end();
    }
  }

  const aKey = async () => {
    const permissions = { tenant: ['info:read', 'api_key:read', 'api_key:manage'] };
    const { body } = await world.cloud
      .main()
      .post(`${world.cloud.tenant}/api_keys`, { ...world.newKey(), permissions });
    return {
      id: body.id as number,
      name: body.name as string,
      secret: body.secret as string,
      path: `${world.cloud.tenant}/api_keys/${body.id}`,
    };
  };
  const works = async (secret: string): Promise<boolean> =>
    (await world.cloud.main(secret).get(world.cloud.tenant)).status === 200;

  it.each([0, 600])('with the secret of the key itself, one takes place (overlap %i)', async (overlap_seconds) => {
    const { secret, path } = await aKey();

    const rotate = () => world.cloud.main(secret).post(`${path}/rotate`, { overlap_seconds });
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, rotate));

    const good = answers.filter(({ status }) => status === 200);
    expect(good).toHaveLength(1);
    expect(new Set(statusesOf(answers).filter((status) => status !== 200 && status !== 401))).toEqual(
      answers.some(({ status }) => status === 409) ? new Set([409]) : new Set(),
    );
    expect([await works(good[0]?.body.secret as string), await works(secret)]).toEqual([true, overlap_seconds > 0]);
  });

  it('the previous secret of a key, in its overlap, rotates nothing', async () => {
    const { secret, path } = await aKey();
    const { body } = await world.cloud.main(secret).post(`${path}/rotate`, { overlap_seconds: 600 });

    const late = await world.cloud.main(secret).post(`${path}/rotate`, { overlap_seconds: 600 });

    expect(late).toBeProblem('state_conflict', { status: 409, state: 'rotated', retryable: false });
    expect([await works(secret), await works(body.secret as string)]).toEqual([true, true]);
    expect((await world.cloud.main(body.secret).post(`${path}/rotate`)).status).toBe(200);
    expect([await works(secret), await works(body.secret as string)]).toEqual([false, false]);
  });

  it('of a key by somebody else, one takes place, and the old secret lives as long as its answer says', async () => {
    const { id, name, secret, path } = await aKey();

    const rotate = () => world.cloud.main().post(`${path}/rotate`, { overlap_seconds: 600 });
    const answers = await whileHeld('api_keys', id, rotate);

    expect(statusesOf(answers)).toEqual([200, 409, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused).toBeProblem('state_conflict', { state: 'rotated', retryable: false });
    const next = answers.find(({ status }) => status === 200)?.body.secret as string;
    expect([await works(secret), await works(next)]).toEqual([true, true]);
    const [entry, ...others] = await world.cloud.rows<{ data: { name: string } }>(
      `select data from audit_entries where type = 'api_key_rotated' and data ->> 'name' = $1`,
      [name],
    );
    expect([entry?.data.name, others]).toEqual([name, []]);
  });

  it('of the signing secret of a webhook, one takes place', async () => {
    const channel = { channel: 'webhook', name: world.name(), destination: 'https://hooks.example.com/x' };
    const { body } = await world.cloud.main().post(`${world.cloud.tenant}/channels`, channel);
    const rotate = () => world.cloud.main().post(`${world.cloud.tenant}/channels/${body.id}/rotate`, {});

    const answers = await whileHeld('notification_channels', body.id as number, rotate);

    expect(statusesOf(answers)).toEqual([200, 409, 409]);
    const current = (await world.cloud.main().get(`${world.cloud.tenant}/channels/${body.id}`)).body;
    expect(JSON.stringify(current)).not.toContain(answers.find(({ status }) => status === 200)?.body.secret);
  });

  it.each(['credentials', 'certificates'])('of the %s of a deployment, one is accepted', async (what) => {
    const id = await world.servingDeployment();

    const rotate = () => world.cloud.runtime().post(`/deployments/${id}/${what}/rotate`);
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, rotate));

    const [accepted, ...more] = answers.filter(({ status }) => status === 202);
    expect(more).toEqual([]);
    for (const refused of answers.filter((answer) => answer !== accepted))
      expect(refused).toBeProblem('state_conflict', { operation_id: accepted?.body.operation_id });
    const type = `rotate_${what}`;
    expect(
      await world.cloud.rows('select 1 from operations where deployment_id = $1 and type = $2', [id, type]),
    ).toHaveLength(1);
  });
});
