import type { LoadBalancer, Tag } from '@aws-sdk/client-elastic-load-balancing-v2';
import type { InventoryTags, ResourceState } from '../cloud-provider.js';
import type { LoadBalancerSpec } from '../resource-specs.js';
import { ifThere, isRemoved, type AwsClients } from './aws-clients.js';
import type { Page, Observed } from '../driver/driver-kind.js';
import type { AwsKind } from './aws-kind.js';
import { portListeners, type PortListener } from './aws-listeners.js';
import { idsOf, type Remembered } from '../driver/driver-memory.js';
import { ownerBy, tagsOf, tagsOfAll } from './aws-names.js';
import { shortName } from '../driver/short-name.js';
import type { AwsWork } from './aws-work.js';

const KIND = 'load_balancer';
/** The most balancers whose tags AWS returns in one call. */
const AT_ONCE = 20;
/** Balancers in the words of the service of tags. */
const BALANCERS = 'elasticloadbalancing:loadbalancer';
const STATES: Record<string, ResourceState> = { active: 'active', failed: 'failed' };
const CROSS_ZONE = { Key: 'load_balancing.cross_zone.enabled', Value: 'true' };

/** A network balancer in all zones, with a target group for each port. */
export class AwsBalancers implements AwsKind<typeof KIND> {
  readonly pollAfterMs = 10_000;

  async build(work: AwsWork, spec: LoadBalancerSpec): Promise<void> {
    const { elb } = work.clients;
    const listeners = portListeners(spec.listeners);
    const arn = await this.balancer(work, spec);
    if (!work.id('cross zone')) {
      await elb.modifyLoadBalancerAttributes({ LoadBalancerArn: arn, Attributes: [CROSS_ZONE] });
      await work.note('cross zone', arn);
    }
    const VpcId = await work.idOfOther('network', spec.network, 'network');
    const groups = new Map<number, string>();
    for (const listener of listeners) groups.set(listener.port, await this.targetGroup(work, listener, VpcId));
    await this.listen(work, arn, listeners, groups);
    for (const { port, targets } of listeners) await this.register(work, groups.get(port) ?? '', targets);
  }

  async look(
    clients: AwsClients,
    memories: ReadonlyMap<string, Remembered>,
  ): Promise<Map<string, Observed<typeof KIND>>> {
    const ids = idsOf(memories, KIND);
    const observed = new Map<string, Observed<typeof KIND>>();
    for (const balancer of await this.find(clients, [...ids.keys()])) {
      const one = observedBalancer(balancer, ids.get(balancer.LoadBalancerArn ?? ''), memories);
      if (one) observed.set(one.name, one);
    }
    return observed;
  }

  async remove(work: AwsWork, installation: string): Promise<boolean> {
    const { elb } = work.clients;
    const found = await ifThere(elb.describeLoadBalancers({ Names: [this.awsName(installation, work.key.name)] }));
    const balancers = work.leftOf(
      KIND,
      (found?.LoadBalancers ?? []).map((one) => one.LoadBalancerArn),
    );
    await work.startDeletion();
    for (const LoadBalancerArn of balancers)
      if (!(await isRemoved(elb.deleteLoadBalancer({ LoadBalancerArn })))) return false;
    let isGone = true;
    for (const TargetGroupArn of work.ids('targets '))
      isGone = (await isRemoved(elb.deleteTargetGroup({ TargetGroupArn }))) && isGone;
    return isGone;
  }

  /** The service of balancers does not search by tags, so the service of tags does. */
  async list(clients: AwsClients, tags: InventoryTags, cursor: string | null): Promise<Page<typeof KIND>> {
    const { ResourceTagMappingList = [], PaginationToken = '' } = await clients.tagging.getResources({
      ...{ ResourceTypeFilters: [BALANCERS], TagFilters: tagsOfAll(tags.installation, KIND, tags.deployment_id) },
      ...{ ResourcesPerPage: AT_ONCE, ...(cursor !== null && { PaginationToken: cursor }) },
    });
    const found = await this.find(
      clients,
      ResourceTagMappingList.map(({ ResourceARN = '' }) => ResourceARN),
    );
    const observed = found.flatMap((one) => observedBalancer(one, undefined, new Map()) ?? []);
    return { observed, next: PaginationToken === '' ? null : PaginationToken };
  }

  notVisibleYet(): { address: string } {
    return { address: '' };
  }

  private async balancer(work: AwsWork, { network, scheme }: LoadBalancerSpec): Promise<string> {
    const { elb } = work.clients;
    const arn = work.id(KIND);
    if (arn !== null) return arn;
    // Before the creation is begun: AWS has certainly no balancer in a network that does not exist.
    const Subnets = await work.idsOfOther('network', network, 'subnet ');
    const { name } = work.key;
    const Name = this.awsName(work.tags.installation, name);
    return work.part({
      part: KIND,
      find: async () => {
        const found = await ifThere(elb.describeLoadBalancers({ Names: [Name] }));
        return found?.LoadBalancers?.[0]?.LoadBalancerArn ?? null;
      },
      create: async () => {
        const { LoadBalancers } = await elb.createLoadBalancer({
          ...{ Name, Type: 'network', Scheme: scheme === 'internet' ? 'internet-facing' : 'internal' },
          Subnets,
          Tags: tagsOf({ kind: KIND, name, part: KIND, tags: work.tags }),
        });
        return LoadBalancers?.[0]?.LoadBalancerArn ?? '';
      },
    });
  }

  private targetGroup(work: AwsWork, listener: PortListener, VpcId: string): Promise<string> {
    const { elb } = work.clients;
    const { name } = work.key;
    const { protocol, port, targetPort, healthCheckPort } = listener;
    const part = `targets ${protocol} ${port} ${targetPort} ${healthCheckPort}`;
    const Name = shortName(work.tags.installation, KIND, name, part);
    return work.part({
      part,
      duplicate: 'DuplicateTargetGroupName',
      find: async () => {
        const found = await ifThere(elb.describeTargetGroups({ Names: [Name] }));
        return found?.TargetGroups?.[0]?.TargetGroupArn ?? null;
      },
      create: async () => {
        const { TargetGroups } = await elb.createTargetGroup({
          ...{ Name, Protocol: protocol, Port: targetPort, VpcId, TargetType: 'instance' },
          ...{ HealthCheckProtocol: 'TCP', HealthCheckPort: String(healthCheckPort) },
          Tags: tagsOf({ kind: KIND, name, part, tags: work.tags }),
        });
        return TargetGroups?.[0]?.TargetGroupArn ?? '';
      },
    });
  }

  /** Creates and changes listeners before it deletes others. */
  private async listen(
    work: AwsWork,
    LoadBalancerArn: string,
    listeners: readonly PortListener[],
    groups: ReadonlyMap<number, string>,
  ): Promise<void> {
    const { elb } = work.clients;
    const { Listeners = [] } = await elb.describeListeners({ LoadBalancerArn });
    for (const { port, protocol } of listeners) {
      const TargetGroupArn = groups.get(port) ?? '';
      const DefaultActions = [{ Type: 'forward' as const, TargetGroupArn }];
      const present = Listeners.find(({ Port }) => Port === port);
      if (!present) {
        const Tags = tagsOf({ kind: KIND, name: work.key.name, part: `listener ${port}`, tags: work.tags });
        await elb.createListener({ LoadBalancerArn, Port: port, Protocol: protocol, DefaultActions, Tags });
      } else if (present.DefaultActions?.[0]?.TargetGroupArn !== TargetGroupArn) {
        const { ListenerArn } = present;
        await elb.modifyListener({ ListenerArn, Protocol: protocol, DefaultActions });
      }
    }
    for (const { Port = 0, ListenerArn } of Listeners)
      if (!groups.has(Port)) await isRemoved(elb.deleteListener({ ListenerArn }));
  }

  /** The memory has the machines that are registered, so that an unchanged group costs no call. */
  private async register(work: AwsWork, TargetGroupArn: string, nodes: readonly string[]): Promise<void> {
    const { elb } = work.clients;
    const part = `registered ${TargetGroupArn}`;
    const before = new Set((work.id(part) ?? '').split(' ').filter(Boolean));
    const now = new Set(await work.idsOfAll('node', nodes));
    const targets = (ids: string[]) => ids.map((Id) => ({ Id }));
    const [added, removed] = [[...now].filter((id) => !before.has(id)), [...before].filter((id) => !now.has(id))];
    if (added.length > 0) await elb.registerTargets({ TargetGroupArn, Targets: targets(added) });
    if (removed.length > 0) await elb.deregisterTargets({ TargetGroupArn, Targets: targets(removed) });
    if (added.length + removed.length > 0) await work.note(part, [...now].join(' '));
  }

  /** AWS refuses a search for several balancers when one does not exist. Then each is searched for itself. */
  private async find(clients: AwsClients, arns: readonly string[]): Promise<Tagged[]> {
    const found: Tagged[] = [];
    for (let from = 0; from < arns.length; from += AT_ONCE) {
      const some = arns.slice(from, from + AT_ONCE);
      const all = await ifThere(clients.elb.describeLoadBalancers({ LoadBalancerArns: some }));
      const singles = all ? [all] : await this.oneByOne(clients, some);
      found.push(
        ...(await this.tagged(
          clients,
          singles.flatMap(({ LoadBalancers = [] }) => LoadBalancers),
        )),
      );
    }
    return found;
  }

  private async oneByOne({ elb }: AwsClients, arns: readonly string[]) {
    const found: { LoadBalancers?: LoadBalancer[] | undefined }[] = [];
    for (const arn of arns) found.push((await ifThere(elb.describeLoadBalancers({ LoadBalancerArns: [arn] }))) ?? {});
    return found;
  }

  private async tagged({ elb }: AwsClients, balancers: readonly LoadBalancer[]): Promise<Tagged[]> {
    if (balancers.length === 0) return [];
    const ResourceArns = balancers.map(({ LoadBalancerArn = '' }) => LoadBalancerArn);
    const { TagDescriptions = [] } = (await ifThere(elb.describeTags({ ResourceArns }))) ?? {};
    const tags = new Map(TagDescriptions.map(({ ResourceArn, Tags }) => [ResourceArn, Tags]));
    return balancers.map((balancer) => ({ ...balancer, Tags: tags.get(balancer.LoadBalancerArn) ?? [] }));
  }

  private awsName(installation: string, name: string): string {
    return shortName(installation, KIND, name);
  }
}

type Tagged = LoadBalancer & { Tags: Tag[] };

function observedBalancer(
  { LoadBalancerArn = '', DNSName = '', State, Tags }: Tagged,
  name: string | undefined,
  memories: ReadonlyMap<string, Remembered>,
): Observed<typeof KIND> | null {
  const memory = memories.get(name ?? '');
  const owner = ownerBy(name, memory, Tags);
  if (owner === null) return null;
  return {
    ...{ ...owner, id: LoadBalancerArn, attributes: { address: DNSName } },
    state: memory?.isDeleting ? 'deleting' : (STATES[State?.Code ?? ''] ?? 'pending'),
    ...(State?.Reason && { reason: State.Reason }),
  };
}
