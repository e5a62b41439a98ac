import { CloudError } from '../../cloud-error.js';
import { slicesOf } from '@libs/domain';
import type { GcpApi } from '../gcp-api.js';
import { gcpName, type PartOwner } from '../gcp-names.js';
import type { GcpNetwork } from '../gcp-shapes.js';
import type { GcpWork } from '../gcp-work.js';

const KIND = 'network';
/** The part with the path of the subnet of the nodes. */
export const SUBNET = 'subnet';
/** Google's smallest subnet has eight addresses. */
const SMALLEST_BITS = 28;

export interface VpcPlan {
  owner: PartOwner;
  /** The range of the whole network. */
  cidr: string;
}

/** The path of the network that Landlord creates for a resource. */
export const vpcPath = (api: GcpApi, installation: string, name: string): string =>
  `${api.global}/networks/${gcpName(installation, KIND, name)}`;

export const subnetPath = (api: GcpApi, installation: string, name: string): string =>
  `${api.regional}/subnetworks/${gcpName(installation, KIND, name, SUBNET)}`;

/**
 * The halves of a range: the first one for the nodes, the second one for the subnets of service attachments. @throws CloudError
 * `invalid` when the range is too small
 */
export function halvesOf(cidr: string): { nodes: string; services: string } {
  const [nodes = cidr, services = cidr] = slicesOf(cidr, 2);
  if (Number(nodes.split('/')[1]) > SMALLEST_BITS)
    throw new CloudError({ code: 'invalid' }, `${cidr} is too small for the subnets of a network`);
  return { nodes, services };
}

/** The networks that Landlord creates. A subnet of Google is in all zones of its region. */
export class GcpVpcs {
  /** Creates what is missing. True: everything exists. */
  async build(work: GcpWork, { owner, cidr }: VpcPlan): Promise<boolean> {
    const { api, key } = work;
    const path = vpcPath(api, owner.installation, key.name);
    const body = () => ({ autoCreateSubnetworks: false, routingConfig: { routingMode: 'REGIONAL' } });
    if (!(await work.bring({ part: KIND, path, body, owner }))) return false;
    return this.subnet(work, { owner, network: path, range: halvesOf(cidr).nodes });
  }

  /** The subnet of the nodes. True: it exists. */
  subnet(
    work: GcpWork,
    { owner, network, range }: { owner: PartOwner; network: string; range: string },
  ): Promise<boolean> {
    const path = subnetPath(work.api, owner.installation, work.key.name);
    const { region } = work.api.at;
    const fixed = { privateIpGoogleAccess: true, stackType: 'IPV4_ONLY' };
    const body = () => ({ network, region, ipCidrRange: range, ...fixed });
    return work.bring({ part: SUBNET, path, body, owner });
  }

  /**
   * Deletes the network with everything that Landlord has put into it. True: nothing is left.
   * @param begin Records that the deletion has started, after the first answer of Google
   */
  async remove(work: GcpWork, installation: string, begin: () => Promise<void>): Promise<boolean> {
    const { api, key } = work;
    const path = vpcPath(api, installation, key.name);
    await api.find<GcpNetwork>(path);
    await begin();
    if (!(await work.discard(SUBNET, subnetPath(api, installation, key.name)))) return false;
    return work.discard(KIND, path);
  }
}
