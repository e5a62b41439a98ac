import { TestCloud } from '@libs/testing';
import { CommandLine } from '../command-line.js';
import { makeEightPlaces, type PlacedDeployment } from './eight-places.js';

describe('The command line in an organization of 2 × 2 × 2 places', () => {
  let cloud: TestCloud;
  let landlord: CommandLine;
  let deployments: PlacedDeployment[];
  beforeAll(async () => {
    cloud = await TestCloud.borrow();
    landlord = CommandLine.for(cloud);
    deployments = await makeEightPlaces(cloud);
  }, 300_000);
  afterAll(() => cloud.stop());

  const of = (division: string, environment: string, name: string): PlacedDeployment => {
    const deployment = deployments.find(
      (one) => one.division === division && one.environment === environment && one.name === name,
    );
    if (!deployment) throw new TypeError(`There is no ${name}.`);
    return deployment;
  };
  const linesOf = (text: string): string[][] =>
    text
      .trim()
      .split('\n')
      .map((line) => line.split(/ {2,}/));

  it('lists every deployment and environment that the key may see, with the names of their levels', async () => {
    const { code, stdout, stderr } = await landlord.run('deployments');
    expect([stderr, code]).toEqual(['', 0]);
    const [head, ...rows] = linesOf(stdout);
    expect(head?.slice(0, 5)).toEqual(['ID', 'NAME', 'STATUS', 'DIVISION', 'ENVIRONMENT']);
    const listed = rows.map(([id, name, , division, environment]) => ({ id: Number(id), division, environment, name }));
    expect(listed.sort((a, b) => a.id - b.id)).toEqual(deployments);

    const [environments, ofBilling, ofBoth] = await Promise.all([
      landlord.run('environments'),
      landlord.run('deployments', '--division', 'billing'),
      landlord.json<{ name: string }[]>('deployments', '--division', 'billing', '--environment', 'dev'),
    ]);
    expect(linesOf(environments.stdout).map((line) => line.slice(1, 3))).toEqual([
      ['NAME', 'DIVISION'],
      ...[...Array(2)].flatMap(() => []),
      ...['payments', 'billing'].flatMap((division) => ['dev', 'prod'].map((name) => [name, division])),
    ]);
    expect(linesOf(ofBilling.stdout)).toHaveLength(5);
    expect(ofBilling.stdout).not.toContain('payments');
    expect(ofBoth.map(({ name }) => name).sort()).toEqual(['mails', 'orders'].sort());
  });

  it('takes an id, a code or a unique name for every command, and asks for no level above', async () => {
    const wallet = of('payments', 'prod', 'wallet');
    for (const name of ['wallet', String(wallet.id)])
      expect(await landlord.json('deployments', 'get', name)).toMatchObject({ id: wallet.id, name: 'wallet' });
    expect((await landlord.run('deployments', 'update', 'wallet', '--description', 'of all')).code).toBe(0);
    expect(await landlord.json('deployments', 'get', 'wallet')).toMatchObject({ description: 'of all' });
    expect(
      (await landlord.run('deployments', 'upgrade', 'wallet', '--tier', 'medium', '--dry-run')).stderr,
    ).not.toContain('several');
    expect((await landlord.run('rules', '-d', String(wallet.id))).code).toBe(0);
    expect((await landlord.run('deployments', 'connect', 'wallet')).code).toBe(0);
  });

  it('finds a deployment that an option names in another environment than that of the order', async () => {
    const order = ['deployments', 'create-managed', '--division', 'billing', '--environment', 'dev', '--name', 'copy'];
    const shape = ['--cloud', 'aws', '--region', 'us-east-1', '--tier', 'small', '--managed-tier', 'standard'];
    const from = ['--cluster', 'cluster', '--restore-from-deployment', 'wallet', '--restore-from-backup', 'nosuch'];
    const { code, stderr } = await landlord.run(...order, ...shape, ...from);

    expect([code, stderr]).toEqual([4, expect.stringContaining('There is no "nosuch" among the backups.')]);
  });

  it('names the places of an ambiguous name, and takes the name with the levels above', async () => {
    const ambiguous = await landlord.run('deployments', 'get', 'orders');
    expect([ambiguous.code, ambiguous.stdout]).toEqual([2, '']);
    expect(ambiguous.stderr).toContain('payments / prod / orders');
    expect(ambiguous.stderr).toContain('billing / dev / orders');
    expect(ambiguous.stderr).not.toContain('wallet');

    const { id } = of('billing', 'dev', 'orders');
    const named = ['deployments', 'get', 'orders', '--division', 'billing', '--environment', 'dev'];
    expect(await landlord.json(...named)).toMatchObject({ id });
    const several = await landlord.run('environments', 'get', 'prod');
    expect(several).toMatchObject({ code: 2, stderr: expect.stringContaining('billing / prod') as string });
    expect(await landlord.json('environments', 'get', 'prod', '--division', 'billing')).toMatchObject({ name: 'prod' });
  });
});
