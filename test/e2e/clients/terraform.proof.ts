import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { given, MailFolder, noteSkip, TestCloud, TestDeployment } from '@libs/testing';
import { addEightPlaces } from './places/eight-places.js';
import { findTerraform, PROVIDER, run } from './terraform-programs.js';

const TESTS = join(PROVIDER, 'internal/acceptance');
const PATIENCE_MS = 20 * 60_000;
const ENTERPRISE = { managed_tier: 'enterprise' };

interface Event {
  Test?: string;
  Action: string;
  Output?: string;
}

const CHOSEN = process.env['TERRAFORM_TESTS'] ?? 'TestAcc';

/** The chosen acceptance tests of the provider, by their names in the sources. */
const NAMES = readdirSync(TESTS)
  .flatMap((file) => [...readFileSync(join(TESTS, file), 'utf8').matchAll(/^func (TestAcc\w+)\(/gm)])
  .map(([, name = '']) => name)
  .filter((name) => new RegExp(CHOSEN).test(name))
  .sort();

const { terraform, missing } = await findTerraform();
if (missing !== null)
  noteSkip(`The tests of the Terraform provider cannot run (${missing})`, 'Install Go, and allow its module proxy');

/** A real terraform or tofu with the real provider, against a real installation with places beside those of the tests. */
(terraform === null ? describe.skip : describe)('The Terraform provider', () => {
  let cloud: TestCloud;
  let results: Map<string, { outcome: string; output: string }>;
  let whole: string;
  beforeAll(async () => {
    cloud = await TestCloud.start();
    await cloud.rows('update tenants set plan_overrides = $1', [JSON.stringify({ deployment_tiers: { free: 20 } })]);
    // The acceptance tests have a division with the name Payments.
    await addEightPlaces(cloud, ['north', 'south']);
    const [aws, gcp] = await Promise.all([
      TestDeployment.paid(cloud, ENTERPRISE),
      TestDeployment.paid(cloud, { ...ENTERPRISE, cloud: 'gcp', region: 'us-central1' }),
    ]);
    const setup = await cloud
      .main()
      .post(`${cloud.environment}/deployments/byoc/setup`, { cloud: 'aws', region: 'eu-west-1' });
    const { installation } = cloud;
    const { id: userId } = await given.user(cloud, { email: 'member@example.com', name: 'Member' });
    await given.membership(cloud, userId, {});
    const { output } = await run(
      ['go', 'test', '-json', '-count=1', '-timeout=20m', '-run', CHOSEN, './internal/acceptance'],
      {
        env: {
          LANDLORD_URL: cloud.mainApi.url,
          LANDLORD_API_KEY: cloud.key,
          LANDLORD_TENANT_ID: String(installation.tenant_id),
          LANDLORD_TEST_DIVISION: String(installation.division_id),
          LANDLORD_TEST_ENVIRONMENT: String(installation.environment_id),
          LANDLORD_TEST_AWS: String(aws.id),
          LANDLORD_TEST_GCP: String(gcp.id),
          LANDLORD_TEST_EXTERNAL_ID: setup.body.external_id,
          LANDLORD_TEST_MAILS: new MailFolder(cloud.directory).directory,
          TF_ACC: '1',
          TF_ACC_TERRAFORM_PATH: terraform ?? '',
          TF_ACC_PROVIDER_NAMESPACE: 'landlord',
          TF_CLI_CONFIG_FILE: '',
          CHECKPOINT_DISABLE: '1',
        },
        timeoutMs: PATIENCE_MS,
      },
    );
    whole = output;
    results = resultsOf(output);
  }, PATIENCE_MS);
  afterAll(() => cloud.stop());

  it('passes go vet, gofmt and its unit tests', async () => {
    const [vetted, spelled, tested] = [
      await run(['go', 'vet', './...'], { timeoutMs: PATIENCE_MS }),
      await run(['gofmt', '-l', '.'], { timeoutMs: PATIENCE_MS }),
      await run(['go', 'test', '-count=1', './...'], { env: { TF_ACC: '' }, timeoutMs: PATIENCE_MS }),
    ];

    expect(vetted).toEqual({ code: 0, output: '' });
    expect(spelled).toEqual({ code: 0, output: '' });
    expect(tested.code === 0 ? '' : tested.output).toBe('');
  });

  it.each(NAMES)('passes %s', (name) => {
    const { outcome, output } = results.get(name) ?? { outcome: 'no result', output: whole };

    expect(outcome === 'pass' ? '' : output).toBe('');
  });
});

function resultsOf(lines: string): Map<string, { outcome: string; output: string }> {
  const results = new Map<string, { outcome: string; output: string }>();
  for (const line of lines.split('\n').filter((one) => one.startsWith('{'))) {
    const { Test, Action, Output = '' } = JSON.parse(line) as Event;
    if (Test === undefined) continue;
    const before = results.get(Test) ?? { outcome: '', output: '' };
    const isEnd = ['pass', 'fail', 'skip'].includes(Action);
    results.set(Test, { outcome: isEnd ? Action : before.outcome, output: before.output + Output });
  }
  return results;
}
