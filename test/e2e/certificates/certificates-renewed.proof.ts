import { connect as connectTls } from 'node:tls';
import { eventually, TestCloud, TestDeployment, type AppProcess } from '@libs/testing';

/** Two passes of the reconciler and the time of a rotation. */
const PATIENCE_MS = 60_000;

/** The automatic changes of certificates, with two supervisors that both run the reconciler. */
describe('A certificate that is about to expire', () => {
  let cloud: TestCloud;
  let other: AppProcess;
  let deployment: TestDeployment;
  beforeAll(async () => {
    cloud = await TestCloud.start();
    const AGENT_PUBLIC_URL = `http://127.0.0.1:${cloud.supervisorEnv['GATEWAY_PORT']}`;
    other = await cloud.another('supervisor', { AGENT_PUBLIC_URL });
    await other.start();
    deployment = await TestDeployment.free(cloud);
  });
  afterAll(async () => {
    await other.kill();
    await cloud.stop();
  });

  const shown = async (): Promise<{ serial: string; status: string; not_after: string; ca_certificate: string }> =>
    (await cloud.runtime().get(`${deployment.live}/certificates`)).body;
  const endpoint = async (): Promise<string> => (await deployment.nodes())[0]?.endpoints.tcp ?? '';
  const onTheWire = async (): Promise<string> => {
    const [host, port] = (await endpoint()).split(':');
    const socket = connectTls({ host, port: Number(port), ca: (await shown()).ca_certificate });
    await new Promise((resolve, reject) => socket.once('secureConnect', () => resolve(null)).once('error', reject));
    const { serialNumber } = socket.getPeerCertificate();
    socket.destroy();
    return serialNumber;
  };
  const endsIn = (days: number) =>
    cloud.rows(
      `update deployment_certificates set not_after = now() + make_interval(days => $2) where deployment_id = $1 and status = 'active'`,
      [deployment.id, days],
    );
  const rotations = () =>
    cloud.rows<{ id: number; status: string; author_id: number | null }>(
      `select id, status, author_id from operations where deployment_id = $1 and type = 'rotate_certificates' order by id`,
      [deployment.id],
    );
  const events = () =>
    cloud.rows<{ event_key: string }>(
      `select event_key from outbox where deployment_id = $1 and type = 'certificate_expiring'`,
      [deployment.id],
    );
  const isRenewed = (serial: string) =>
    eventually('it is renewed', async () => (await shown()).serial !== serial, PATIENCE_MS);

  it('is renewed by one of the supervisors without a disconnect of clients', async () => {
    const before = await shown();
    const client = await deployment.client(0, { ca: before.ca_certificate });

    await endsIn(20);
    await isRenewed(before.serial);

    await client.write('still', 'here');
    expect(client.isCut).toBe(false);
    expect(await onTheWire()).toBe((await shown()).serial);
    expect((await shown()).status).toBe('valid');
    expect(await rotations()).toMatchObject([{ status: 'succeeded', author_id: null }]);
    expect(await events()).toEqual([]);
    await client.close();
  });

  it('is reported once when its renewal fails, and is renewed at the next attempt', async () => {
    const { serial } = await shown();
    const [first] = await rotations();
    // Simulates a renewal that failed an hour ago.
    await cloud.rows(`update operations set status = 'failed', finished_at = now() - interval '1 hour' where id = $1`, [
      first?.id,
    ]);
    await endsIn(10);
    await eventually('the event is recorded', async () => (await events()).length > 0, PATIENCE_MS);
    expect(await shown()).toMatchObject({ serial, status: 'expiring' });
    expect(await rotations()).toHaveLength(1);

    await cloud.rows(`update operations set finished_at = now() - interval '7 hours' where id = $1`, [first?.id]);
    await isRenewed(serial);

    const [told, ...others] = await events();
    expect(others).toEqual([]);
    expect(told?.event_key).toMatch(/^certificate_expiring:\d+$/);
  });
});
