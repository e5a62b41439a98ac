import type { ResourceTags } from '../../cloud-provider.js';
import type { DriverMemory, MemoryKey } from '../../driver/driver-memory.js';
import type { GcpApi } from '../gcp-api.js';
import type { GcpWork } from '../gcp-work.js';
import { GcpVpcs, SUBNET } from './gcp-vpcs.js';

const KIND = 'network';
const USER = 'user ';
/** The range of every shared network. They never have peerings, so the same range does no harm. */
export const SHARED_RANGE = '10.0.0.0/16';

/** A network of a deployment that uses the shared one. */
export interface SharedVpcUser {
  name: string;
  tags: ResourceTags;
  path: string;
}

/**
 * The network that the deployments of a project and a region share: a project has room for a few networks only. It is created for the
 * first user and deleted after the last one. Its memory has the names of its users, and one call at a time works on it.
 */
export class GcpSharedVpcs {
  private readonly vpcs = new GcpVpcs();

  constructor(private readonly memory: DriverMemory) {}

  /** Adds the network as a user, and copies the paths into its memory. True: everything exists. */
  async join(work: GcpWork): Promise<boolean> {
    const { installation, deployment_id } = work.tags;
    const paths = await work.beside(keyOf(installation, work.api), async (vpc) => {
      // Before the first creation, so that no network exists without a user that deletes it.
      if (vpc.id(`${USER}${work.key.name}`) === null) await vpc.note(`${USER}${work.key.name}`, String(deployment_id));
      if (!(await this.vpcs.build(vpc, { owner: { installation }, cidr: SHARED_RANGE }))) return null;
      return [KIND, SUBNET].map((part) => [part, vpc.id(part)] as const);
    });
    for (const [part, path] of paths ?? []) if (path !== null && work.id(part) !== path) await work.note(part, path);
    return paths !== null;
  }

  /** Removes the user. The last one deletes the network, and stays its user until Google has nothing more. True: it is no user. */
  leave(work: GcpWork, installation: string): Promise<boolean> {
    return work.beside(keyOf(installation, work.api), async (vpc) => {
      const userTag = `${USER}${work.key.name}`;
      if (vpc.partsOf(USER).some((part) => part !== userTag)) {
        await work.api.find(vpc.id(KIND) ?? work.api.global);
        await work.startDeletion();
        await vpc.drop(userTag);
        return true;
      }
      if (!(await this.vpcs.remove(vpc, installation, () => work.startDeletion())) || vpc.isUncertain) return false;
      await vpc.forget();
      return true;
    });
  }

  /** All users of the network of this place. */
  async users(installation: string, api: GcpApi): Promise<SharedVpcUser[]> {
    const { kind, name } = keyOf(installation, api);
    const parts = (await this.memory.read(kind, [name])).get(name)?.parts ?? new Map<string, { id: string | null }>();
    const path = parts.get(KIND)?.id ?? '';
    return [...parts].flatMap(([part, { id }]) =>
      part.startsWith(USER)
        ? [{ name: part.slice(USER.length), tags: { installation, deployment_id: Number(id) }, path }]
        : [],
    );
  }
}

const keyOf = (installation: string, { project, at }: GcpApi): MemoryKey => ({
  kind: KIND,
  name: `${installation} shared ${project} ${at.region}`,
});
