import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '@libs/testing';
import { Start } from './browser/start.js';

describe('The link that npm start prints', () => {
  let directory: string;
  let env: Record<string, string>;
  let running: Start;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'landlord-start-'));
    const [main, supervisor, gateway] = await freePorts(3);
    env = {
      ...{ LANDLORD_DATA_DIR: join(directory, 'data'), LOCAL_BROKER: 'embedded' },
      // The link leads to this machine, also if users reach it by another address.
      LANDLORD_PUBLIC_URL: 'http://cloud.example',
      ...{ MAIN_API_PORT: String(main), SUPERVISOR_PORT: String(supervisor), GATEWAY_PORT: String(gateway) },
    };
  });
  afterAll(async () => {
    await running.stop();
    await rm(directory, { recursive: true, force: true });
  });

  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${env['MAIN_API_PORT']}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const open = (link: URL) => post('/account/first_sign_in', { token: link.hash.slice(1) });

  it('opens the console, signs the owner in once, and ends with the next start', async () => {
    running = new Start(env);
    await running.isUp();
    const first = running.link;
    expect((await fetch(first)).headers.get('content-type')).toBe('text/html; charset=utf-8');

    const signedIn = await open(first);

    expect(signedIn.status).toBe(200);
    const { csrf_token } = (await signedIn.json()) as { csrf_token: string };
    const cookie = (signedIn.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    expect((await open(first)).status).toBe(400);
    await callsTheSupervisor({ cookie, 'x-csrf-token': csrf_token });
    await running.stop();

    running = new Start(env);
    await running.isUp();
    const unused = running.link;
    await running.stop();
    running = new Start(env);
    await running.isUp();

    expect(new Set([first, unused, running.link].map(({ hash }) => hash)).size).toBe(3);
    expect((await open(unused)).status).toBe(400);
    expect((await open(running.link)).status).toBe(200);
  });

  /** Without further settings, pages of the printed address may call the Supervisor with a token. */
  async function callsTheSupervisor(headers: Record<string, string>): Promise<void> {
    const supervisor = `http://127.0.0.1:${env['SUPERVISOR_PORT']}`;
    const created = await post('/tenants/1/supervisor_tokens', { supervisor_url: supervisor }, headers);
    expect(created.status).toBe(200);
    const { token } = (await created.json()) as { token: string };
    const origin = `http://localhost:${env['MAIN_API_PORT']}`;

    const answer = await fetch(`${supervisor}/tenants/1/operations`, { headers: { 'ld-api-key': token, origin } });

    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, origin]);
  }
});
