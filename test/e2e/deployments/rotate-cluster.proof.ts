import { describeWithNats, NATS_SERVER, TestCloud, TestDeployment, type Login } from '@libs/testing';

/** Signs in again and again on every node. Counts the answers of the brokers. */
class Reconnecting {
  accepted = 0;
  refused = 0;
  private isOn = true;
  private readonly ended: Promise<unknown>;

  constructor(
    private readonly deployment: TestDeployment,
    nodes: number,
    private readonly login: Login,
  ) {
    this.ended = Promise.all(Array.from({ length: nodes }, (_, index) => this.repeat(index)));
  }

  /** Ends when every node has answered the last sign-in. */
  async stop(): Promise<void> {
    this.isOn = false;
    await this.ended;
  }

  private async repeat(index: number): Promise<void> {
    do
      await this.deployment.connect(index, this.login).then(
        async (client) => {
          this.accepted += 1;
          await client.endAsync(true);
        },
        () => (this.refused += 1),
      );
    while (this.isOn);
  }
}

describeWithNats('A rotation of the credentials of three nodes with nats', () => {
  let cloud: TestCloud;
  let deployment: TestDeployment;
  beforeAll(async () => {
    cloud = await TestCloud.start({ env: { LOCAL_BROKER: 'nats', NATS_SERVER_BIN: NATS_SERVER ?? '' } });
    deployment = await TestDeployment.paid(cloud);
    await deployment.openToClients();
  }, 240_000);
  afterAll(() => cloud.stop());

  it('refuses no client that uses the password in the API, and no client with the old one during the overlap', async () => {
    const before = await deployment.login();
    const client = await deployment.connect();
    let cuts = 0;
    client.on('close', () => (cuts += 1));
    const processes = await cloud.nodeProcesses();
    const old = new Reconnecting(deployment, 3, before);
    const wrong = new Reconnecting(deployment, 3, { ...before, password: 'guess' });

    await deployment.succeeds(await cloud.runtime().post(`${deployment.live}/credentials/rotate`, {}));
    const after = await deployment.login();
    const fresh = new Reconnecting(deployment, 3, after);
    await old.stop();
    expect([old.refused, old.accepted >= 6, cuts]).toEqual([0, true, 0]);
    await deployment.succeeds(await cloud.runtime().post(`${deployment.live}/credentials/rotate`, {}));
    const newest = new Reconnecting(deployment, 3, await deployment.login());

    await Promise.all([newest, fresh, wrong].map((clients) => clients.stop()));
    expect([fresh.refused, newest.refused, wrong.accepted]).toEqual([0, 0, 0]);
    for (const { accepted } of [fresh, newest]) expect(accepted).toBeGreaterThan(0);
    expect(wrong.refused).toBeGreaterThan(0);
    // The second rotation drops the first password at once: its clients are closed and refused.
    await expect(deployment.connect(0, before)).rejects.toThrow(/Not authorized/i);
    expect(cuts).toBe(1);
    const pids = (all: typeof processes) => all.map(({ pid }) => pid).sort();
    expect(pids(await cloud.nodeProcesses())).toEqual(pids(processes));
    await client.endAsync(true);
  }, 180_000);
});
