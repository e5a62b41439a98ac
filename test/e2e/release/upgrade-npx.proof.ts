import { copyFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { nodeProcesses } from '@libs/testing';
import { MqttTraffic } from '../launcher/mqtt-traffic.fixture.js';
import { Newcomer, type Running } from './newcomer.fixture.js';
import { describeUpgrade, type TwoCommits } from './release-before.fixture.js';
import { madeOnce, makeRelease } from './release.fixture.js';

const [BEFORE, NOW] = ['./before.tgz', './now.tgz'];

await describeUpgrade(
  'The npm package of the release before, which the one of this commit continues',
  async (commits) => {
    const packages = [await serverOf(commits.before), await serverOf(commits.now)];
    return (name) => describe(name, () => tests(packages, commits));
  },
);

/** The npm package of the server that the `npm run release` of the commit makes. */
async function serverOf(commit: string): Promise<string> {
  const folder = await madeOnce(commit, 'packages', (clone) => makeRelease(clone));
  return join(folder, readdirSync(folder).find((name) => /-server-.*\.tgz$/.test(name)) ?? '');
}

function tests([before = '', now = '']: string[], commits: TwoCommits): void {
  let person: Newcomer;
  let landlord: Running;
  let traffic: MqttTraffic;
  let installation: string;

  const npx = (path: string, verb: string): string[] => ['npx', '--yes', path, verb];
  /** The file that a start writes is the command line of the running release. */
  const landlordSays = (...words: string[]): Promise<string> =>
    person.succeeds([join(person.dataDir, 'bin/landlord'), ...words]);

  beforeAll(async () => {
    person = await Newcomer.arrive();
    copyFileSync(before, join(person.folder, BEFORE));
    copyFileSync(now, join(person.folder, NOW));
    landlord = await person.startsLandlord(npx(BEFORE, 'start'));
    installation = person.installation;
    await landlordSays('deployments', 'create', '--starter', '--wait');
    const { nodes, username, password } = JSON.parse(await landlordSays('deployments', 'connect', '-o', 'json'));
    traffic = await MqttTraffic.start([nodes[0].tcp], { username, password });
    await traffic.flows();
  });
  afterAll(async () => {
    await traffic?.stop();
    await person.leave();
  });

  async function continuesWith(path: string, commit: string): Promise<void> {
    const replaced = landlord;
    landlord = await person.startsLandlord(npx(path, 'upgrade'));
    const { code, output } = await replaced.ended;

    expect([code, output]).toEqual([0, expect.stringMatching(/\nLandlord \S+ .*continues as process \d+\.\n$/)]);
    await traffic.flows();
    expect(traffic.interruptions).toEqual([]);
    expect(await landlordSays('--version')).toContain(commit.slice(0, 7));
    expect(JSON.parse(await landlordSays('deployments', 'list', '-o', 'json'))).toHaveLength(1);
  }

  it('closes no connection and loses no message, by the upgrade and by the roll-back', async () => {
    await continuesWith(NOW, commits.now);
    await continuesWith(BEFORE, commits.before);

    expect(await traffic.missing()).toEqual([[]]);
    expect(traffic.interruptions).toEqual([]);
  });

  it('leaves nothing but its data after Ctrl-C', async () => {
    await landlord.pressCtrlC();

    expect(landlord.output).toContain('Landlord has stopped.');
    expect(await nodeProcesses(installation)).toEqual([]);
    rmSync(person.dataDir, { recursive: true });
    expect(person.belongings).toEqual(['work']);
  });
}
