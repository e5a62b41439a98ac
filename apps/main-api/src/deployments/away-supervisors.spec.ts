import { TestMainApi } from '../../test/test-main-api.fixture.js';

const FREE = { cloud: 'aws', region: 'us-east-1' };
const SHAPE = { ...FREE, tier: 'small', managed_tier: 'standard' };
/** The states of a cell that serves the region, as SQL for `seen_at` and `signed_off_at`. */
const STATES = {
  alive: ['now()', 'null'],
  'alive again after an orderly stop': ['now()', `now() - interval '1 minute'`],
  'silent for a minute': [`now() - interval '61 seconds'`, 'null'],
  'stopped in order': [`now() - interval '1 second'`, 'now()'],
} as const;
type State = keyof typeof STATES;
const GONE: readonly State[] = ['silent for a minute', 'stopped in order'];
const HERE: readonly State[] = ['alive', 'alive again after an orderly stop'];

describe('Supervisors that are away', () => {
  let cloud: TestMainApi;
  let number = 0;
  beforeAll(async () => {
    cloud = await TestMainApi.open();
  });
  afterAll(() => cloud.close());

  const become = (cell: string, state: State) => {
    const [seenAt, signedOff] = STATES[state];
    return cloud.rows(`update cells set seen_at = ${seenAt}, signed_off_at = ${signedOff} where cell = $1`, [cell]);
  };
  /** A second cell for exactly the region of the orders, beside `local` for all regions. */
  beforeEach(async () => {
    await cloud.rows(`delete from cells where cell = 'exact'`);
    await cloud.rows(
      `insert into cells (cell, url, agent_url, regions, cloud_drivers, broker_driver, broker_version, features, brokers, version)
       select 'exact', 'http://exact', agent_url, '{aws/us-east-1}', cloud_drivers, broker_driver, broker_version, features, brokers, version
         from cells where cell = 'local'`,
    );
  });

  const order = () =>
    cloud.main().post(`${cloud.environment}/deployments/managed`, {
      ...SHAPE,
      cluster: 'cluster',
      name: `ordered-${(number += 1)}`,
    });
  const preview = async () =>
    (await cloud.main().post(`${cloud.environment}/deployments/preview`, SHAPE)).body as {
      orderable: boolean;
      blocked_by: { code: string; detail: string }[];
    };
  const regionOf = async (key: string) =>
    (await cloud.main().get(`${cloud.tenant}/clouds/aws/regions`)).body.find((one: { key: string }) => one.key === key);
  const cellOf = async (deployment: string | null) =>
    (await cloud.rows<{ cell: string }>('select cell from deployments where id = $1', [deployment]))[0]?.cell;

  it.each(HERE)('take orders while they are %s, the exact one before the one of all regions', async (state) => {
    await become('exact', state);
    await become('local', 'alive');

    const accepted = await order();

    expect(accepted.status).toBe(202);
    expect(await cellOf(accepted.headers.get('ld-deployment'))).toBe('exact');
    expect((await regionOf('us-east-1')).available).toBe(true);
    expect(await preview()).toMatchObject({ orderable: true, blocked_by: [] });
  });

  it.each(GONE)('(exact, %s) leave their orders to one of all regions that is alive', async (state) => {
    await become('exact', state);
    await become('local', 'alive');

    const accepted = await order();

    expect(await cellOf(accepted.headers.get('ld-deployment'))).toBe('local');
    expect((await regionOf('us-east-1')).available).toBe(true);
  });

  it.each(GONE)('(all, %s) refuse every kind of order, and say so in regions and previews', async (state) => {
    await become('exact', state);
    await become('local', state);
    const deployments = async (): Promise<number> => (await cloud.rows('select 1 from deployments')).length;
    const before = await deployments();

    const refusals = [
      await order(),
      await cloud.main().post(`${cloud.division}/deployments/starter`, FREE),
      await cloud.main().post(`${cloud.division}/deployments/starter`, { ...FREE, region: 'us-west-2' }),
    ];

    for (const refusal of refusals) {
      expect(refusal).toBeProblem('provider_unavailable', { status: 503 });
      expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(refusal.body.detail).toMatch(/^The Supervisor of aws us-\w+-\d is away: its last report is of 20/);
    }
    expect(await deployments()).toBe(before);
    expect(await preview()).toMatchObject({ orderable: false, blocked_by: [{ code: 'provider_unavailable' }] });
    const { body: regions } = await cloud.main().get(`${cloud.tenant}/clouds/aws/regions`);
    expect(regions.map(({ available }: { available: boolean }) => available)).not.toContain(true);
    const { body: clouds } = await cloud.main().get(`${cloud.tenant}/clouds`);
    expect(clouds[0].driver).toBeNull();
  });

  it.each(GONE)('(%s) show in every record of their deployments, until they are back', async (state) => {
    await become('exact', 'alive');
    const accepted = await order();
    const [id, operation] = ['ld-deployment', 'ld-operation'].map((name) => accepted.headers.get(name));
    const records = async () => {
      const main = cloud.main();
      const [detail, list, all, operations] = [
        (await main.get(`${cloud.environment}/deployments/${id}`)).body,
        (await main.get(`${cloud.environment}/deployments`)).body.items[0],
        (await main.get(`${cloud.tenant}/deployments`)).body.items[0],
        (await main.get(`${cloud.tenant}/operations/${operation}`)).body,
      ];
      return { deployments: [detail, list, all], operations };
    };
    for (const record of (await records()).deployments)
      expect(record).toMatchObject({ supervisor_reachable: true, last_report_at: null });
    expect((await records()).operations.reason).toBeNull();

    await become('exact', state);
    const away = await records();
    for (const record of away.deployments)
      expect(record).toMatchObject({
        ...{ supervisor_reachable: false, status: 'creating', last_report_at: expect.stringMatching(/Z$/) },
        status_reason: expect.stringMatching(/^The Supervisor of aws us-east-1 is away: its last report is of 20.*Z$/),
      });
    expect(away.operations).toMatchObject({ status: 'pending', reason: away.deployments[0].status_reason });

    await become('exact', 'alive');
    const back = await records();
    for (const record of back.deployments)
      expect(record).toMatchObject({ supervisor_reachable: true, status_reason: null, last_report_at: null });
    expect(back.operations.reason).toBeNull();
  });
});
