import { slicesOf } from '@libs/domain';
import { CloudError } from '../../cloud-error.js';
import type { ResourceTags } from '../../cloud-provider.js';
import type { NetworkSpec } from '../../resource-specs.js';
import type { AwsClients } from '../aws-clients.js';
import type { DriverMemory, MemoryKey } from '../../driver/driver-memory.js';
import { AwsVpcs, subnetPart, type SubnetPlan } from './aws-vpcs.js';
import type { AwsWork } from '../aws-work.js';

const KIND = 'network';
const USER = 'user ';
const CLOSING = 'closing';
const RANGE = '10.0.0.0/16';
/** Each subnet has 4091 addresses for nodes. */
const MOST_ZONES = 16;

/** A network of a deployment that uses the shared VPC. */
export interface SharedVpcUser {
  name: string;
  tags: ResourceTags;
  vpcId: string;
}

/**
 * The VPC that the deployments of an account and a region share: AWS allows five VPCs only. It is created for the first user and
 * deleted after the last one. Its memory has the names of its users, and one call at a time works on it.
 */
export class AwsSharedVpcs {
  private readonly vpcs = new AwsVpcs();

  constructor(private readonly memory: DriverMemory) {}

  /** Adds the network as a user, and copies the ids of the VPC and of the subnets into its memory. */
  async join(work: AwsWork, { region, zones }: NetworkSpec): Promise<void> {
    const { installation, deployment_id } = work.tags;
    const subnets = zones.map(subnetOf);
    const parts = [...zones.map(subnetPart), KIND, 'route'];
    const ids = await work.beside(keyOf(installation, work.clients), async (vpc) => {
      // Before the first creation, so that no VPC exists without a user that deletes it.
      await vpc.note(`${USER}${work.key.name}`, String(deployment_id));
      if (vpc.id(CLOSING) !== null) {
        await this.vpcs.forgetMissing(vpc);
        await vpc.drop(CLOSING);
      }
      await this.vpcs.build(vpc, { owner: { installation }, region, cidr: RANGE, subnets });
      return parts.map((part) => [part, vpc.id(part)] as const);
    });
    for (const [part, id] of ids) if (id !== null && work.id(part) !== id) await work.note(part, id);
  }

  /** Removes the user. The last one deletes the VPC, and stays its user until AWS has nothing more. True: it is no user. */
  leave(work: AwsWork, installation: string): Promise<boolean> {
    return work.beside(keyOf(installation, work.clients), async (vpc) => {
      const userTag = `${USER}${work.key.name}`;
      if (vpc.partsOf(USER).some((part) => part !== userTag)) {
        await work.startDeletion();
        await vpc.drop(userTag);
        return true;
      }
      const begin = async (): Promise<void> => {
        await work.startDeletion();
        await vpc.note(CLOSING, CLOSING);
      };
      if (!(await this.vpcs.remove(vpc, installation, begin)) || vpc.isUncertain) return false;
      await vpc.forget();
      return true;
    });
  }

  /** All users of the VPC of this place. */
  async users(installation: string, clients: AwsClients): Promise<SharedVpcUser[]> {
    const { kind, name } = keyOf(installation, clients);
    const parts = (await this.memory.read(kind, [name])).get(name)?.parts ?? new Map<string, { id: string | null }>();
    const vpcId = parts.get(KIND)?.id ?? '';
    return [...parts].flatMap(([part, { id }]) =>
      part.startsWith(USER)
        ? [{ name: part.slice(USER.length), tags: { installation, deployment_id: Number(id) }, vpcId }]
        : [],
    );
  }
}

const keyOf = (installation: string, { at: { account, region } }: AwsClients): MemoryKey => ({
  kind: KIND,
  name: `${installation} shared ${[account, region].filter(Boolean).join(' ')}`,
});

/** The range follows from the letter of the zone, so that it stays the same when the catalog gets another zone. */
function subnetOf(zone: string): SubnetPlan {
  const cidr = slicesOf(RANGE, MOST_ZONES)[(zone.at(-1) ?? '').charCodeAt(0) - 'a'.charCodeAt(0)];
  if (cidr === undefined) throw new CloudError({ code: 'invalid' }, `${zone} is not a zone of AWS`);
  return { zone, cidr };
}
