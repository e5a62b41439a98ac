import type { PathIds, Row } from './row.js';
import type { World } from './world.js';

type Cloud = 'aws' | 'gcp';

let networks = 0;

/** A network of 172.16.0.0/12 that no other row uses. */
const aNetwork = (): string => {
  networks += 1;
  return `172.${16 + (networks >> 8)}.${networks & 255}.0/24`;
};

/** A deployment with a managed tier that includes everything. Its creation is finished in the rows only. */
async function networked(world: World, cloud: Cloud): Promise<PathIds> {
  const { cloud: apis } = world;
  const region = cloud === 'aws' ? 'us-east-1' : 'us-central1';
  const order = { ...(await world.managed()), cloud, region, managed_tier: 'enterprise' };
  const accepted = await apis.main().post(`${apis.environment}/deployments/managed`, order);
  const deployment_id = Number(accepted.headers.get('ld-deployment'));
  await quiet(world, deployment_id);
  await apis.rows(`update deployment_runtimes set status = 'initialized' where deployment_id = $1`, [deployment_id]);
  return { deployment_id };
}

const quiet = (world: World, id: number) =>
  world.cloud.rows(`update operations set status = 'succeeded', finished_at = now() where deployment_id = $1`, [id]);

/** A private connection of such a deployment, for this path and this id header. */
const withPrivateConnection =
  (cloud: Cloud, path: string, name: string, body: (world: World) => object, header = name) =>
  async (world: World) => {
    const ids = await networked(world, cloud);
    const url = `/deployments/${ids['deployment_id']}/network/${cloud}/${path}`;
    const made = await world.cloud.runtime().post(url, body(world));
    await quiet(world, Number(ids['deployment_id']));
    return { ...ids, [`${name}_id`]: Number(made.headers.get(`ld-${header}`)) };
  };

const vpcPeering = (world: World): object => ({
  ...{ name: world.name(), peer_vpc_id: 'vpc-0123456789abcdef0', peer_owner_id: '123456789012' },
  peer_vpc_cidr: aNetwork(),
});
const networkPeering = (world: World): object => ({
  ...{ name: world.name(), peer_vpc_name: 'default', peer_project_id: 'their-project', peer_vpc_cidr: aNetwork() },
});
const named = (world: World): object => ({ name: world.name() });

const N = '/deployments/:deployment_id/network';
const onAws = (world: World) => networked(world, 'aws');
const onGcp = (world: World) => networked(world, 'gcp');
const aVpcPeering = withPrivateConnection('aws', 'vpc_peering', 'peering', vpcPeering);
const aService = withPrivateConnection('aws', 'private_link', 'service', named, 'endpoint-service');
const aNetworkPeering = withPrivateConnection('gcp', 'vpc_peering', 'peering', networkPeering);
const anAttachment = withPrivateConnection('gcp', 'psc', 'attachment', named);

/** Routes of private networking. */
export const NETWORK_ROWS: Record<string, Row> = {
  [`supervisor: GET ${N}/aws/vpc_peering`]: { status: 200, path: onAws },
  [`supervisor: POST ${N}/aws/vpc_peering`]: { status: 204, path: onAws, body: vpcPeering },
  [`supervisor: GET ${N}/aws/vpc_peering/:peering_id/instructions`]: { status: 200, path: aVpcPeering },
  [`supervisor: DELETE ${N}/aws/vpc_peering/:peering_id`]: { status: 204, path: aVpcPeering },
  [`supervisor: GET ${N}/aws/private_link`]: { status: 200, path: onAws },
  [`supervisor: POST ${N}/aws/private_link`]: { status: 204, path: onAws, body: named },
  [`supervisor: DELETE ${N}/aws/private_link/:service_id`]: { status: 204, path: aService },
  [`supervisor: GET ${N}/gcp/vpc_peering`]: { status: 200, path: onGcp },
  [`supervisor: POST ${N}/gcp/vpc_peering`]: { status: 204, path: onGcp, body: networkPeering },
  [`supervisor: GET ${N}/gcp/vpc_peering/:peering_id/instructions`]: { status: 200, path: aNetworkPeering },
  [`supervisor: DELETE ${N}/gcp/vpc_peering/:peering_id`]: { status: 204, path: aNetworkPeering },
  [`supervisor: GET ${N}/gcp/psc`]: { status: 200, path: onGcp },
  [`supervisor: POST ${N}/gcp/psc`]: { status: 204, path: onGcp, body: named },
  [`supervisor: GET ${N}/gcp/psc/:attachment_id/instructions`]: { status: 200, path: anAttachment },
  [`supervisor: GET ${N}/gcp/psc/:attachment_id/connections`]: { status: 200, path: anAttachment },
  [`supervisor: DELETE ${N}/gcp/psc/:attachment_id`]: { status: 204, path: anAttachment },
};
