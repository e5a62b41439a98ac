import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { LISTENERS } from '@libs/domain/admission';
import { describeWithHaProxy, eventually, HaProxy, TestCloud } from '@libs/testing';
import { connectionsOf, cutsOf } from './listener-metrics.js';

const PROXY_ADDRESS = '127.9.0.7';
const ATTACKER = '127.0.3.1';
const { ofNetwork: OF_NETWORK, signInMs } = LISTENERS['main-api'];
const CONNECTIONS = OF_NETWORK * 2;
/** Connections of callers that ask for the metrics meanwhile. */
const OTHERS = 2;
/** Only the share closes connections in this time. */
const WELL_BELOW_SIGN_IN_MS = signInMs / 3;
const CALLS = 20;

/** All clients of a proxy have its address. A share for that address would lock out everybody. */
describeWithHaProxy('Attackers behind the HAProxy of everybody', () => {
  let cloud: TestCloud;
  let proxy: HaProxy;
  const open: Socket[] = [];

  beforeAll(async () => {
    cloud = await TestCloud.start({ env: { TRUSTED_PROXIES: `${PROXY_ADDRESS}/32`, RATE_LIMIT: '1000000' } });
    const port = Number(new URL(cloud.mainApi.url).port);
    proxy = await HaProxy.before({ port, mode: 'http', source: PROXY_ADDRESS });
  });
  afterAll(async () => {
    for (const socket of open) socket.destroy();
    await proxy.stop();
    await cloud.stop();
  });

  /** Begins a body that never ends. HAProxy passes the head on at once. */
  function slowBody(): Promise<Socket> {
    return new Promise((resolve) => {
      const socket = connect({ port: proxy.port, host: '127.0.0.1', localAddress: ATTACKER });
      open.push(socket);
      const done = (): void => resolve(socket);
      socket
        .on('error', done)
        .on('data', () => undefined)
        .once('close', done);
      const head =
        'POST /account/sign_in HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 90\r\n';
      socket.once('connect', () => socket.write(`${head}\r\n{`, done));
    });
  }

  /** The status of a request on a new connection from this address. */
  const answer = (path: string, localAddress: string, headers: Record<string, string>): Promise<number | string> =>
    new Promise((resolve) => {
      const options = { port: proxy.port, host: '127.0.0.1', path, localAddress, headers, agent: false };
      request(options, (response) => {
        response.resume().once('end', () => resolve(response.statusCode ?? 0));
      })
        .once('error', ({ message }) => resolve(message))
        .end();
    });

  it('lose their own connections, and keep no known or new caller out', async () => {
    const key = { 'ld-api-key': cloud.key };
    expect(await answer(cloud.tenant, '127.0.2.1', key)).toBe(200);

    await Promise.all(Array.from({ length: CONNECTIONS }, () => slowBody()));
    const answers: (number | string)[] = [];
    for (let call = 0; call < CALLS; call += 1) {
      answers.push(await answer(cloud.tenant, '127.0.2.1', key));
      answers.push(await answer('/tenants/1', `127.0.4.${call + 1}`, {}));
    }

    expect(answers).toEqual(Array.from({ length: CALLS }, () => [200, 401]).flat());
    const listener = { name: 'main-api' as const, api: cloud.mainApi.url };
    let held = Infinity;
    await eventually(
      () => `${held} connections of the attacker are held, above its share`,
      async () => (held = await connectionsOf(listener)) <= OF_NETWORK + OTHERS,
      WELL_BELOW_SIGN_IN_MS,
    );
    expect(await cutsOf(listener)).toBeGreaterThanOrEqual(CONNECTIONS - OF_NETWORK);
  });
});
