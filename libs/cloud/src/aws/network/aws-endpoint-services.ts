import type { ServiceConfiguration, VpcEndpointConnection } from '@aws-sdk/client-ec2';
import type { InventoryTags, ResourceState, ResourceTags } from '../../cloud-provider.js';
import type { ConsumerStatus, ResourceAttributes, ServiceConsumer } from '../../resource-attributes.js';
import type { EndpointServiceSpec } from '../../resource-specs.js';
import { unless, type AwsClients } from '../aws-clients.js';
import type { Page, Observed } from '../../driver/driver-kind.js';
import type { AwsKind } from '../aws-kind.js';
import { idsOf, type Remembered } from '../../driver/driver-memory.js';
import { filtersOf, ownerOf, pageRequest, tagsOf } from '../aws-names.js';
import type { AwsWork } from '../aws-work.js';

const KIND = 'endpoint_service';
/** AWS calls everybody so. */
const EVERYBODY = '*';
/** The service no longer exists. */
const GONE = 'InvalidVpcEndpointService.NotFound';

const STATES: Record<string, ResourceState> = {
  ...{ pending: 'pending', available: 'active', deleting: 'deleting', deleted: 'deleting', failed: 'failed' },
};
/** `pending` at AWS: accepted, and AWS creates the endpoint. */
const CONSUMERS: Record<string, ConsumerStatus> = {
  ...{ pendingacceptance: 'pending', pending: 'accepted', available: 'accepted', rejected: 'rejected' },
  ...{ deleting: 'closed', deleted: 'closed', expired: 'closed', failed: 'needs_attention' },
};

/** A service over the balancer of a deployment, which consumers reach through endpoints in their own VPCs. */
export class AwsEndpointServices implements AwsKind<typeof KIND> {
  readonly pollAfterMs = 5_000;

  async build(work: AwsWork, spec: EndpointServiceSpec): Promise<void> {
    const { ec2 } = work.clients;
    const ServiceId = work.id(KIND) ?? (await this.create(work, spec));
    const [service] = await this.all(work.clients, [ServiceId]);
    // AWS does not show a new service at once. The next call sets what has changed.
    if (service === undefined) return;
    const { acceptance_required: AcceptanceRequired } = spec;
    if (service.AcceptanceRequired !== AcceptanceRequired)
      await ec2.modifyVpcEndpointServiceConfiguration({ ServiceId, AcceptanceRequired });
    await this.allow(work.clients, ServiceId, spec.allowed_principals);
  }

  async look(
    clients: AwsClients,
    memories: ReadonlyMap<string, Remembered>,
  ): Promise<Map<string, Observed<typeof KIND>>> {
    const ids = idsOf(memories, KIND);
    const services = await this.all(clients, [...ids.keys()]);
    const connections = services.length > 0 ? await this.connections(clients, [...ids.keys()]) : [];
    const observed = services.flatMap((service) => {
      const name = ids.get(service.ServiceId ?? '') ?? '';
      const tags = memories.get(name)?.tags ?? ownerOf(service.Tags)?.tags;
      return tags ? [[name, observedService({ name, tags }, service, connections, memories.get(name))] as const] : [];
    });
    return new Map(observed);
  }

  /** AWS deletes a service only without consumers, so each is rejected first. */
  async remove(work: AwsWork, installation: string): Promise<boolean> {
    const { ec2 } = work.clients;
    const tagged = await this.tagged(work.clients, installation, work.key.name);
    await work.startDeletion();
    const ids = work.leftOf(KIND, tagged);
    const connections = ids.length > 0 ? await this.connections(work.clients, ids) : [];
    for (const ServiceId of ids) {
      const VpcEndpointIds = connections
        .filter((one) => one.ServiceId === ServiceId && ['pending', 'accepted'].includes(consumerOf(one).status))
        .map(({ VpcEndpointId = '' }) => VpcEndpointId);
      if (VpcEndpointIds.length > 0) await ec2.rejectVpcEndpointConnections({ ServiceId, VpcEndpointIds });
    }
    if (ids.length === 0) return true;
    const { Unsuccessful = [] } =
      (await unless([GONE], ec2.deleteVpcEndpointServiceConfigurations({ ServiceIds: ids }))) ?? {};
    if (Unsuccessful.some(({ Error }) => Error?.Code !== GONE)) return false;
    return (await this.all(work.clients, ids)).length === 0;
  }

  async list({ ec2 }: AwsClients, tags: InventoryTags, cursor: string | null): Promise<Page<typeof KIND>> {
    const { ServiceConfigurations = [], NextToken } = await ec2.describeVpcEndpointServiceConfigurations(
      pageRequest(KIND, tags, cursor),
    );
    const observed = ServiceConfigurations.filter(isThere).flatMap((service) => {
      const owner = ownerOf(service.Tags);
      const isAsked =
        owner?.tags.installation === tags.installation &&
        [undefined, owner.tags.deployment_id].includes(tags.deployment_id);
      return isAsked ? [observedService(owner, service, [], undefined)] : [];
    });
    return { observed, next: NextToken ?? null };
  }

  notVisibleYet(): ResourceAttributes[typeof KIND] {
    return { service_id: '', service_name: '', consumers: [] };
  }

  /** Without an idempotency token: after a deletion, the same token would return the deleted service. The memory prevents a second one. */
  private async create(work: AwsWork, { load_balancer, acceptance_required }: EndpointServiceSpec): Promise<string> {
    // Before the creation is begun: AWS has certainly no service over a balancer that does not exist.
    const arn = await work.idOfOther('load_balancer', load_balancer, 'load_balancer');
    const { name } = work.key;
    return work.part({
      part: KIND,
      find: async () => (await this.tagged(work.clients, work.tags.installation, name))[0] ?? null,
      create: async () => {
        const Tags = tagsOf({ kind: KIND, name, part: KIND, tags: work.tags });
        const service = await work.clients.ec2.createVpcEndpointServiceConfiguration({
          ...{ NetworkLoadBalancerArns: [arn], AcceptanceRequired: acceptance_required },
          TagSpecifications: [{ ResourceType: 'vpc-endpoint-service', Tags }],
        });
        return service.ServiceConfiguration?.ServiceId ?? '';
      },
    });
  }

  /** Makes the allowed principals those of the specification. Adds first, so that a change never locks out who stays. */
  private async allow({ ec2 }: AwsClients, ServiceId: string, principals: readonly string[]): Promise<void> {
    const allowed = principals.length === 0 ? [EVERYBODY] : principals;
    const present = await allPages(async (NextToken) => {
      const page = await ec2.describeVpcEndpointServicePermissions({ ServiceId, ...NextToken });
      return [page.AllowedPrincipals, page.NextToken];
    });
    const now = present.map(({ Principal = '' }) => Principal);
    const AddAllowedPrincipals = allowed.filter((one) => !now.includes(one));
    const RemoveAllowedPrincipals = now.filter((one) => !allowed.includes(one));
    if (AddAllowedPrincipals.length > 0)
      await ec2.modifyVpcEndpointServicePermissions({ ServiceId, AddAllowedPrincipals });
    if (RemoveAllowedPrincipals.length > 0)
      await ec2.modifyVpcEndpointServicePermissions({ ServiceId, RemoveAllowedPrincipals });
  }

  private async all({ ec2 }: AwsClients, ids: readonly string[]): Promise<ServiceConfiguration[]> {
    if (ids.length === 0) return [];
    const Filters = [{ Name: 'service-id', Values: [...ids] }];
    const { ServiceConfigurations = [] } = await ec2.describeVpcEndpointServiceConfigurations({ Filters });
    return ServiceConfigurations.filter((one) => ids.includes(one.ServiceId ?? '') && isThere(one));
  }

  private connections({ ec2 }: AwsClients, ids: readonly string[]): Promise<VpcEndpointConnection[]> {
    const Filters = [{ Name: 'service-id', Values: [...ids] }];
    return allPages(async (NextToken) => {
      const page = await ec2.describeVpcEndpointConnections({ Filters, ...NextToken });
      return [page.VpcEndpointConnections, page.NextToken];
    });
  }

  private async tagged({ ec2 }: AwsClients, installation: string, name: string): Promise<string[]> {
    const Filters = filtersOf(installation, KIND, name, KIND);
    const { ServiceConfigurations = [] } = await ec2.describeVpcEndpointServiceConfigurations({ Filters });
    return ServiceConfigurations.filter((one) => {
      const owner = ownerOf(one.Tags);
      return isThere(one) && owner?.name === name && owner.tags.installation === installation;
    }).map(({ ServiceId = '' }) => ServiceId);
  }
}

async function allPages<T>(
  page: (next: { NextToken?: string }) => Promise<readonly [T[] | undefined, string | undefined]>,
): Promise<T[]> {
  const all: T[] = [];
  let next: string | undefined;
  do {
    const [some, NextToken] = await page(next === undefined ? {} : { NextToken: next });
    all.push(...(some ?? []));
    next = NextToken === '' ? undefined : NextToken;
  } while (next !== undefined);
  return all;
}

/** The API and the SDK write states with different letters. */
const stateOf = (state: string | undefined): string => (state ?? '').toLowerCase();

const isThere = ({ ServiceState }: ServiceConfiguration): boolean => stateOf(ServiceState) !== 'deleted';

const consumerOf = (connection: VpcEndpointConnection): ServiceConsumer => ({
  connection_id: connection.VpcEndpointConnectionId ?? '',
  owner: connection.VpcEndpointOwner ?? '',
  network: null,
  endpoint: connection.VpcEndpointId ?? null,
  status: CONSUMERS[stateOf(connection.VpcEndpointState)] ?? 'needs_attention',
});

function observedService(
  owner: { name: string; tags: ResourceTags },
  { ServiceId = '', ServiceName = '', ServiceState }: ServiceConfiguration,
  connections: readonly VpcEndpointConnection[],
  memory: Remembered | undefined,
): Observed<typeof KIND> {
  const consumers = connections.filter((one) => one.ServiceId === ServiceId).map(consumerOf);
  return {
    ...{ ...owner, id: ServiceId },
    state: memory?.isDeleting ? 'deleting' : (STATES[stateOf(ServiceState)] ?? 'pending'),
    attributes: { service_id: ServiceId, service_name: ServiceName, consumers },
  };
}
