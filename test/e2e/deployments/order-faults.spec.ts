import fc from 'fast-check';
import { World } from '../matrix/world.js';

const GARBAGE = fc.constantFrom<unknown>(null, '', 5, -1, 0.5, true, [], {}, [1], 'x'.repeat(200), '💥', { type: 5 });
/** Mostly one of the valid values, sometimes another value. */
const perhaps = (...good: unknown[]) =>
  fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...good) }, { weight: 1, arbitrary: GARBAGE });

const AWS = {
  account_id: perhaps('111122223333'),
  identity_arn: perhaps('arn:aws:iam::111122223333:role/x', 'arn:aws:iam::444455556666:role/x'),
  external_id: perhaps('other'),
  vpc_id: perhaps('vpc-0a1b2c3d'),
  vpc_cidr: perhaps('10.0.0.0/16', '10.0.0.1/16'),
};
const GCP = {
  project_id: perhaps('my-project'),
  service_account_email: perhaps('landlord@my-project.iam.gserviceaccount.com'),
  vpc_name: perhaps('default'),
};
const ORDER = {
  name: perhaps('n'),
  cloud: perhaps('aws', 'gcp'),
  region: perhaps('us-east-1', 'us-central1', 'sa-east-1', 'mars-1'),
  tier: perhaps('free', 'small', '16xlarge'),
  cluster: perhaps('standalone', 'cluster'),
  managed_tier: perhaps('standard', 'performance', 'enterprise'),
  storage: fc.oneof(
    fc.record({ type: perhaps('local_ssd', 'network_balanced'), size: perhaps(100, 5) }, { requiredKeys: [] }),
    GARBAGE,
  ),
  availability_mode: perhaps('single_az', 'multi_az'),
  target_network_tput: perhaps(1000),
  public_ip_enabled: perhaps(true, false),
  subdomain_enabled: perhaps(true, false),
  dedicated: perhaps(true, false),
  retention: fc.oneof(fc.record({ telemetry_days: perhaps(3, 1000) }), GARBAGE),
  aws: fc.oneof(fc.record(AWS, { requiredKeys: [] }), GARBAGE),
  gcp: fc.oneof(fc.record(GCP, { requiredKeys: [] }), GARBAGE),
  environment_id: perhaps(1, 77_777),
  environment_name: perhaps('sandbox'),
  deployment_name: perhaps('n'),
};

const MEMBERS: Record<string, (keyof typeof ORDER)[]> = {
  preview: ['cloud', 'region', 'tier', 'managed_tier', 'storage', 'availability_mode', 'target_network_tput'],
  managed: (Object.keys(ORDER) as (keyof typeof ORDER)[]).slice(0, 13),
  byoc: ['name', 'cloud', 'region', 'tier', 'cluster', 'storage', 'aws', 'gcp'],
  starter: ['cloud', 'region', 'environment_id', 'environment_name', 'deployment_name'],
};

/** Format and catalog are validated together: the refusal of any order names the errors of this order. */
describe('Any order', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.start();
  });
  afterAll(() => world.stop());

  it.each(Object.keys(MEMBERS))('of kind %s is accepted, or refused with each error once', async (kind) => {
    const base = kind === 'starter' ? world.cloud.division : world.cloud.environment;
    const members = (MEMBERS[kind] ?? []).map((name) => [name, ORDER[name]] as const);
    const bodies = fc.record(Object.fromEntries(members), {
      requiredKeys: [],
    });

    await fc.assert(
      fc.asyncProperty(bodies, async (order) => {
        const { status, body } = await world.cloud.main().post(`${base}/deployments/${kind}`, order);

        expect([200, 202, 400, 404, 409]).toContain(status);
        if (status !== 400) return;
        const paths = body.field_issues.map(({ path }: { path: string }) => path);
        expect(paths.length).toBeGreaterThan(0);
        expect(new Set(paths).size).toBe(paths.length);
      }),
      { numRuns: 150 },
    );
  });
});
