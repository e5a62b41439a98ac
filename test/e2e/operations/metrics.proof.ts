import { eventually, TestCloud } from '@libs/testing';

const TOKEN = 'a-token-of-some-length';

describe('The metrics', () => {
  let cloud: TestCloud;

  beforeAll(async () => {
    cloud = await TestCloud.start();
  });
  afterAll(() => cloud.stop());

  const scrape = async (
    url: string,
    headers: Record<string, string> = {},
  ): Promise<{ status: number; text: string }> => {
    const answer = await fetch(`${url}/metrics`, { headers });
    return { status: answer.status, text: await answer.text() };
  };
  const valueOf = (text: string, series: RegExp): number =>
    Number(
      text
        .split('\n')
        .find((line) => series.test(line))
        ?.split(' ')
        .at(-1),
    );

  it('count requests by route template, never by ids', async () => {
    await cloud.main().get(cloud.environment);
    await cloud.main().get(`${cloud.division}/environments/987654`);

    const { text } = await scrape(cloud.mainApi.url);

    const route = '/tenants/:tenant_id/divisions/:division_id/environments/:environment_id';
    const of = (status: number): number =>
      valueOf(text, new RegExp(`seconds_count\\{method="GET",route="${route}",status="${status}"`));
    expect([of(200), of(404)]).toEqual([1, 1]);
    expect(text).not.toContain('987654');
  });

  it('report operations by step and age, incidents, nodes and the queue', async () => {
    await cloud.rows(
      `insert into operations (type, queue, tenant_id, changing, step, trace_id, wake_at, step_entered_at)
       values ('provision_deployment', 'operations.nowhere', $1, false, 'creating', repeat('0', 32), now(), now() - interval '1 hour')`,
      [cloud.installation.tenant_id],
    );
    await cloud.rows(`insert into incidents (kind, subject, detail) values ('unknown_resource', 'x', 'x')`);

    const { text } = await scrape(cloud.supervisor.url);

    const labels = '\\{type="provision_deployment",step="creating"\\}';
    expect(valueOf(text, new RegExp(`^landlord_operations${labels}`))).toBe(1);
    expect(valueOf(text, new RegExp(`^landlord_operations_due${labels}`))).toBe(1);
    expect(valueOf(text, new RegExp(`^landlord_operation_step_age_seconds${labels}`))).toBeGreaterThanOrEqual(3600);
    expect(valueOf(text, /^landlord_incidents\{kind="unknown_resource"\}/)).toBe(1);
    expect(valueOf(text, /^landlord_queue_depth\{queue="operations.local"\}/)).toBe(0);
  });

  it('are only for this machine without a token, and not for requests that a local proxy forwards', async () => {
    expect((await scrape(cloud.mainApi.url)).status).toBe(200);
    expect((await scrape(cloud.mainApi.url, { 'x-forwarded-for': '203.0.113.7' })).status).toBe(404);
  });

  it('require the token, if one is set', async () => {
    const guarded = await cloud.another('main-api', { METRICS_TOKEN: TOKEN });
    await guarded.start();

    const answers = [
      await scrape(guarded.url),
      await scrape(guarded.url, { authorization: 'Bearer wrong' }),
      await scrape(guarded.url, { authorization: `Bearer ${TOKEN}` }),
    ];
    await guarded.stop();

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 200]);
  });

  it('and the log contain one trace from a request through its workflow to the agent', async () => {
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
    const { body } = await cloud
      .main()
      .post(
        `${cloud.division}/deployments/starter`,
        { cloud: 'aws', region: 'us-east-1' },
        { traceparent: `00-${trace}-00f067aa0ba902b7-01` },
      );
    await cloud.main().get(`${cloud.tenant}/operations/${body.operation_id}?wait=60`);

    const lines = (log: string): string[] => log.split('\n').filter((line) => line.includes(trace));
    const agentLog = await eventually('the agent has said it', async () => {
      const found = lines(await cloud.agentLog());
      return found.length > 0 ? found : null;
    });
    expect(lines(cloud.mainApi.log()).join()).toContain('request answered');
    expect(lines(cloud.supervisor.log()).join()).toContain('operation ended');
    expect(agentLog.join()).toContain('document accepted');
    const outbox = await cloud.rows<{ trace_id: string }>('select distinct trace_id from outbox');
    expect(outbox).toEqual([{ trace_id: trace }]);
  });
});
