import { eventually, type Login } from '@libs/testing';
import type { MqttClient } from 'mqtt';
import { connectTo } from '../launcher/mqtt-traffic.fixture.js';
import { describeImage, type AllInOne } from './container.fixture.js';

const TOPIC = 'greetings';
/** From `docker run` to the first message. */
const PATIENCE_MS = 60_000;

(await describeImage())('The image, with everything in one container', (containers) => {
  let landlord: AllInOne;
  let deployment: { nodes: { tcp: string }[] } & Login;
  let elapsedMs: number;

  const client = (): Promise<MqttClient> => {
    const { nodes, username, password } = deployment;
    return connectTo(nodes[0]?.tcp ?? '', { username, password });
  };
  async function retained(): Promise<string> {
    const broker = await client();
    try {
      let text = '';
      broker.on('message', (_topic, body) => (text = body.toString()));
      await broker.subscribeAsync(TOPIC, { qos: 1 });
      await eventually('the message arrives', () => text !== '');
      return text;
    } finally {
      await broker.endAsync(true);
    }
  }

  beforeAll(async () => {
    const begin = performance.now();
    landlord = await containers.start('one');
    await landlord.isReady();
    landlord.exec('landlord', 'deployments', 'create', '--starter', '--wait');
    deployment = JSON.parse(landlord.exec('landlord', 'deployments', 'connect', '1', '-o', 'json'));
    const broker = await client();
    await broker.publishAsync(TOPIC, 'hello', { qos: 1, retain: true });
    await broker.endAsync();
    expect(await retained()).toBe('hello');
    elapsedMs = performance.now() - begin;
  });

  it('needs less than a minute to the first message', () => {
    console.log(`${(elapsedMs / 1000).toFixed(1)} s from the start of the container to the message`);

    expect(elapsedMs).toBeLessThan(PATIENCE_MS);
  });

  it('publishes nodes on ports of the host, at the address of the host', () => {
    const [first, last] = landlord.ports.nodes;
    const [host, port] = (deployment.nodes[0]?.tcp ?? '').split(':');

    expect(host).toBe('127.0.0.1');
    expect(Number(port)).toBeGreaterThanOrEqual(first);
    expect(Number(port)).toBeLessThanOrEqual(last);
  });

  it('signs the owner in by the printed link, on the host and under its loopback name only', async () => {
    const [, page = '', token = ''] = /(http:\/\/localhost:\d+)\/console\/welcome#(\S+)/.exec(landlord.output) ?? [];
    const signIn = (headers: Record<string, string>) =>
      fetch(`${page}/account/first_sign_in`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ token }),
      });

    expect(page).toBe(`http://localhost:${landlord.ports.main}`);
    expect((await signIn({ 'x-forwarded-for': '192.0.2.1' })).status).toBe(400);
    const answer = await signIn({});
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([200, expect.stringContaining('ld_session=')]);
    expect((await fetch(`${page}/console/`)).status).toBe(200);
  });

  it('runs without rights, and is healthy', () => {
    expect(landlord.exec('id', '-u')).toBe('10001');
    expect(landlord.exec('cat', '/proc/1/status')).toMatch(/^CapEff:\s+0{16}$/m);
    expect(landlord.status('sh', '-c', 'echo x > /app/x')).not.toBe(0);
    expect(landlord.status('node', '/app/docker/healthcheck.mjs')).toBe(0);
    expect(landlord.exec('landlord', 'doctor')).toMatch(
      new RegExp(`^ok +node ports +${landlord.ports.nodes.join('-')};`, 'm'),
    );
  });

  it('ends in order by SIGTERM, and starts again with the message', async () => {
    landlord.stop();

    expect(landlord.state).toMatchObject({ Running: false, ExitCode: 0 });
    expect(landlord.output.trim().split('\n').slice(-2)).toEqual(['Stopping.', 'Landlord has stopped.']);
    expect(landlord.output).not.toMatch(/immediately|did not stop|was killed/);
    landlord.startAgain();
    await landlord.isReady(2);
    expect(await retained()).toBe('hello');
    expect(landlord.status('node', '/app/docker/healthcheck.mjs')).toBe(0);
  });
});
