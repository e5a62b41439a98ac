import type { TestCloud } from '@libs/testing';

/** A deployment with the names of its levels. */
export interface PlacedDeployment {
  id: number;
  division: string;
  environment: string;
  name: string;
}

const DIVISIONS = ['payments', 'billing'];
const ENVIRONMENTS = ['prod', 'dev'];
/** Every environment has an `orders`. The other name is unique. */
const UNIQUE = ['wallet', 'ledger', 'invoices', 'mails'];
const SHAPE = { cloud: 'aws', region: 'us-east-1' } as const;
/** Free deployments have one node each. */
const ENOUGH = { deployment_tiers: { free: 8 }, limits: { concurrent_deployments_limit: 8 } };

/** Two divisions with two environments with two deployments each, and no other place. */
export async function makeEightPlaces(cloud: TestCloud): Promise<PlacedDeployment[]> {
  const { landlord, placeIds } = cloud;
  await cloud.rows('update tenants set plan_overrides = $1', [JSON.stringify(ENOUGH)]);
  await landlord.environments.delete(placeIds);
  await landlord.divisions.delete({ division_id: placeIds.division_id });
  return addEightPlaces(cloud);
}

/** Two divisions with two environments with two deployments each, beside what there is. The plan of the organization allows it. */
export async function addEightPlaces({ landlord }: TestCloud, divisions = DIVISIONS): Promise<PlacedDeployment[]> {
  const names = [...UNIQUE];
  const deployments: PlacedDeployment[] = [];
  const ends: Promise<unknown>[] = [];
  for (const division of divisions) {
    const { id: division_id } = await landlord.divisions.create({ name: division });
    for (const environment of ENVIRONMENTS) {
      const { id: environment_id } = await landlord.environments.create({ division_id, name: environment });
      for (const name of ['orders', names.shift() ?? '']) {
        const order = { division_id, environment_id, deployment_name: name, ...SHAPE };
        const { deployment_id, operation } = await landlord.deployments.createStarter(order);
        deployments.push({ id: deployment_id, division, environment, name });
        ends.push(operation.wait({ timeoutMs: 240_000 }));
      }
    }
  }
  await Promise.all(ends);
  return deployments;
}
