import { eventually, TestCloud, type AppProcess } from '@libs/testing';

const NEXT = 'Tomorrow1763999999999';

describe('An app and the schema of its database', () => {
  let cloud: TestCloud;

  beforeAll(async () => {
    cloud = await TestCloud.start();
  });
  afterAll(() => cloud.stop());

  it('runs and starts with a newer schema', async () => {
    await cloud.rows(`insert into migrations (timestamp, name) values (1763999999999, $1)`, [NEXT]);
    const second = await cloud.another('main-api');

    await second.start();

    expect(await readiness(cloud.mainApi)).toMatchObject({ status: 200 });
    expect(await readiness(cloud.supervisor)).toMatchObject({ status: 200 });
    await second.stop();
  });

  it('is not ready on a schema that requires a newer release, logs this once, and does not start on it', async () => {
    await cloud.rows(`insert into schema_requirements values ($1, 'a column went')`, [NEXT]);
    const refused = { status: 503, detail: expect.stringContaining(`too new for this release (it asks for ${NEXT})`) };

    expect(await readiness(cloud.mainApi)).toMatchObject(refused);
    expect(await readiness(cloud.mainApi)).toMatchObject(refused);
    expect(await readiness(cloud.supervisor)).toMatchObject(refused);
    expect(cloud.mainApi.log().match(/"msg":"not ready"/g)).toHaveLength(1);
    await expect((await cloud.another('supervisor')).start()).rejects.toThrow(/supervisor ended:[\s\S]*too new/);

    await cloud.rows('delete from schema_requirements');
    await eventually('it is ready again', async () => (await readiness(cloud.mainApi)).status === 200);
  });

  it('is not ready on a schema that is older than the app, and does not start on it', async () => {
    const [newest] = await cloud.rows(
      'delete from migrations where name <> $1 and timestamp = (select max(timestamp) from migrations where name <> $1) returning name, timestamp',
      [NEXT],
    );
    const fact = `he schema of the database is behind this release (${newest?.['name']} is missing)`;
    const behind = `t${fact}: run landlord migrate`;

    expect(await readiness(cloud.mainApi)).toMatchObject({ status: 503, detail: behind });
    expect(await readiness(cloud.supervisor)).toMatchObject({ status: 503, detail: behind });
    for (const name of ['main-api', 'supervisor'] as const)
      await expect((await cloud.another(name)).start()).rejects.toThrow(`T${fact}. Run landlord migrate`);

    await cloud.rows('insert into migrations (timestamp, name) values ($1, $2)', [
      newest?.['timestamp'],
      newest?.['name'],
    ]);
    await eventually('it is ready again', async () => (await readiness(cloud.supervisor)).status === 200);
  });
});

async function readiness({ url }: AppProcess): Promise<{ status: number; detail: unknown }> {
  const response = await fetch(`${url}/health/ready`);
  const { detail } = (await response.json()) as { detail?: unknown };
  return { status: response.status, detail };
}
