import { deploymentSubnet, overlap } from '@libs/domain';
import { CloudError } from '../../cloud-error.js';
import type { GcpApi } from '../gcp-api.js';
import { linkOf } from '../gcp-names.js';
import type { GcpNetwork, GcpSubnet } from '../gcp-shapes.js';
import type { GcpWork } from '../gcp-work.js';
import { GcpVpcs, halvesOf, subnetPath, SUBNET } from './gcp-vpcs.js';

const KIND = 'network';
/** Google puts the subnets of all regions here in a network in auto mode. */
const AUTO_RANGE = '10.128.0.0/9';
/** The beginning of the parts with ranges that Google has refused. */
export const TAKEN = 'taken range ';
/** The ranges that the driver looks at before it gives up. */
const MOST_RANGES = 65_536;

/** Subnets in a network of a customer. The network and its routes belong to the customer. */
export class GcpCustomerVpcs {
  private readonly vpcs = new GcpVpcs();

  /** True: the subnet exists. @throws CloudError `invalid` when the network does not exist, or the range is in use */
  async build(work: GcpWork, cidr: string, vpcName: string): Promise<boolean> {
    const network = networkPath(work.api, vpcName);
    if (work.id(KIND) === null) {
      await this.find(work.api, vpcName);
      await work.note(KIND, network);
    }
    return this.vpcs.subnet(work, { owner: work.tags, network, range: halvesOf(cidr).nodes });
  }

  /**
   * The first range of 256 addresses without a subnet, from a place that depends on the deployment: so two deployments that look at the
   * same time do not choose the same one. @throws CloudError `invalid` when the network does not exist, or has no such range
   */
  async freeRange(work: GcpWork, vpcName: string): Promise<string> {
    const { autoCreateSubnetworks } = await this.find(work.api, vpcName);
    const path = networkPath(work.api, vpcName);
    const { items = [] } = await work.api.list<GcpSubnet>(
      `${work.api.regional}/subnetworks`,
      `network = "${linkOf(path)}"`,
    );
    const usedRanges = [
      ...(autoCreateSubnetworks ? [AUTO_RANGE] : []),
      ...items.flatMap(({ ipCidrRange }) => ipCidrRange ?? []),
      ...work.ids(TAKEN),
    ];
    for (let index = 0; index < MOST_RANGES; index += 1) {
      const range = deploymentSubnet(work.tags.deployment_id + index);
      if (!usedRanges.some((one) => overlap(one, range))) return range;
    }
    throw new CloudError({ code: 'invalid' }, `the network ${vpcName} has no free range of 256 addresses`);
  }

  /** Deletes the subnet. True: it is gone. */
  async remove(work: GcpWork, installation: string): Promise<boolean> {
    const path = subnetPath(work.api, installation, work.key.name);
    await work.api.find(path);
    await work.startDeletion();
    return work.discard(SUBNET, path);
  }

  private async find(api: GcpApi, vpcName: string): Promise<GcpNetwork> {
    const network = await api.find<GcpNetwork>(networkPath(api, vpcName));
    if (network) return network;
    throw new CloudError({ code: 'invalid' }, `the project ${api.project} has no network ${vpcName}`);
  }
}

const networkPath = (api: GcpApi, name: string): string => `${api.global}/networks/${name}`;
