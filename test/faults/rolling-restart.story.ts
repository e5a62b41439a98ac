import autocannon from 'autocannon';
import { eventually, LoadBalancer, TestCloud, type AppProcess } from '@libs/testing';
import { LostRequests } from './lost-requests.js';

/** Enough time for many health checks of the load balancer, also on a busy machine where a check takes a second. */
const DRAIN_SECONDS = '4';

/** Two main APIs behind a load balancer without retries; each is restarted while clients send requests. */
describe('A rolling restart', () => {
  let cloud: TestCloud;
  let second: AppProcess;
  let balancer: LoadBalancer;

  beforeAll(async () => {
    cloud = await TestCloud.start({ env: { SHUTDOWN_DRAIN_SECONDS: DRAIN_SECONDS, LOG_LEVEL: 'warn' } });
    second = await cloud.another('main-api');
    await second.start();
    balancer = await LoadBalancer.before([cloud.mainApi.url, second.url]);
  });
  afterAll(async () => {
    await balancer.close();
    await second.stop();
    await cloud.stop();
  });

  it('loses no request, neither reads nor writes', async () => {
    const headers = { 'ld-api-key': cloud.key, 'content-type': 'application/json' };
    const lost = new LostRequests();
    let writes = 0;
    const path = `${cloud.tenant}/divisions/${cloud.installation.division_id}`;
    const load = autocannon({
      url: balancer.url,
      connections: 10,
      // The test stops the load after both restarts.
      duration: 120,
      headers,
      requests: [
        { method: 'GET', path, onResponse: (status, body) => lost.answered(`GET ${path}`, status, body) },
        {
          method: 'PUT',
          path,
          onResponse: (status, body) => lost.answered(`PUT ${path}`, status, body),
          setupRequest: (request) => ({ ...request, body: JSON.stringify({ description: `write ${(writes += 1)}` }) }),
        },
      ],
    });

    load.on('reqError', (error) => lost.failed(error));
    for (const [name, app] of [['the first', cloud.mainApi] as const, ['the second', second] as const]) {
      lost.during(`while ${name} stops`);
      await app.stop();
      lost.during(`while ${name} starts`);
      await app.start();
      // A ready app gets no requests before the balancer detects it. A stop of the other app at this time would leave
      // the balancer without an app.
      await eventually(`the balancer sends to ${name}`, () => balancer.sendsTo(app.url));
    }
    lost.during('after the restarts');
    load.stop();
    const result = await load;

    const failed = result.errors + result.timeouts + result.non2xx;
    process.stdout.write(
      `rolling restart of two main APIs: ${result['2xx']} requests answered (half of them writes), ${failed} failed (${result.errors} connections, ${result.timeouts} timeouts, ${result.non2xx} answers), slowest ${result.latency.max} ms\n`,
    );
    expect(String(lost)).toBe('');
    expect(failed).toBe(0);
    expect(result['2xx']).toBeGreaterThan(200);
    for (const app of [cloud.mainApi, second]) expect(app.log()).not.toMatch(/"level":50|Cannot use a pool/);
  });
});
