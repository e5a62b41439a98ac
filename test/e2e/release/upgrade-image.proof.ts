import { describeContainers, type AllInOne, type Containers } from './container.fixture.js';
import { describeUpgrade, type TwoCommits } from './release-before.fixture.js';
import { ReturningTraffic } from './returning-traffic.fixture.js';

/** The clients of a container are away while the brokers of the next one start. */
const PATIENCE_MS = 60_000;

await describeUpgrade('A container of the release before that is replaced by one of this commit', async (commits) => {
  const suite = await describeContainers(commits.before, commits.now);
  return (name) => suite(name, (containers) => tests(containers, commits));
});

function tests(containers: Containers, { before, now }: TwoCommits): void {
  let landlord: AllInOne;
  let traffic: ReturningTraffic;
  afterAll(() => traffic?.stop());

  /** Stops the container, and starts one of another image with its volume and its ports. */
  async function replaceBy(image: string): Promise<void> {
    landlord.stop();
    expect(landlord.state.ExitCode).toBe(0);
    containers.podman.run('rm', landlord.name);
    landlord = containers.startOn(landlord.ports, landlord.name, image);
    await landlord.isReady();
  }

  it('loses nothing that was acknowledged, and its clients come back; so does the way back', async () => {
    const [old = '', current = ''] = containers.images;
    landlord = await containers.start('upgraded');
    await landlord.isReady();
    landlord.exec('landlord', 'deployments', 'create', '--starter', '--wait');
    const { nodes, username, password } = JSON.parse(
      landlord.exec('landlord', 'deployments', 'connect', '1', '-o', 'json'),
    );
    traffic = await ReturningTraffic.start(nodes[0].tcp, { username, password });
    await traffic.flows();

    await replaceBy(current);
    await traffic.flows();
    console.log(`The clients were away for ${(traffic.absenceMs / 1000).toFixed(1)} s.`);
    expect(traffic.absenceMs).toBeLessThan(PATIENCE_MS);
    expect(landlord.exec('landlord', '--version')).toContain(now.slice(0, 7));

    await replaceBy(old);
    await traffic.flows();
    expect(await traffic.lost()).toEqual([]);
    expect(JSON.parse(landlord.exec('landlord', 'deployments', 'list', '-o', 'json'))).toHaveLength(1);
    expect(landlord.exec('landlord', '--version')).toContain(before.slice(0, 7));
  });
}
