import { Injectable } from '@nestjs/common';
import type { Resource, ResourceSpecs } from '@libs/cloud';
import {
  RuntimesRepository,
  type DeploymentFacts,
  type LiveConnection,
  type PrivateConnection,
  type PrivateConnectionKind,
} from '@libs/persistence/runtime';
import { Installation } from '../../platform/index.js';
import type { PrivateResource } from './private-connection-observation.js';
import { CloudResources, type DrivenRef } from '../cloud-resources.js';
import { placeOf, resourceName } from '../resource-names.js';

/** A connection with the driver, the place and the name of its resource. */
export interface Placed<C extends LiveConnection> extends DrivenRef {
  connection: C;
  kind: PrivateConnectionKind;
}

/** The cloud resource of a private connection, by its deterministic name. Every call is safe to repeat. */
@Injectable()
export class PrivateConnectionResources {
  constructor(
    private readonly cloud: CloudResources,
    private readonly runtimes: RuntimesRepository,
    private readonly installation: Installation,
  ) {}

  /** Requests the resource, on the network or the load balancer of its deployment. */
  async ensure(
    connection: PrivateConnection,
    facts: DeploymentFacts,
    signal: AbortSignal,
  ): Promise<PrivateResource | null> {
    const { kind } = connection;
    const spec = { ...this.ours(facts)[kind], ...connection.spec } as unknown as ResourceSpecs[typeof kind];
    const tags = { installation: this.installation.name, deployment_id: connection.deploymentId };
    const name = this.name(connection);
    return unlessDeleted(await this.cloud.ensure(placeOf(facts), { kind, name, spec, tags }, signal));
  }

  /** Returns the resource as the provider reports it now. Null: the resource no longer exists. */
  async find(connection: LiveConnection, signal: AbortSignal): Promise<PrivateResource | null> {
    const [placed] = await this.placed([connection]);
    return placed ? this.look(placed, signal) : null;
  }

  /** Adds the driver and the place of each connection's resource, with two statements for all. */
  async placed<C extends LiveConnection>(connections: readonly C[]): Promise<Placed<C>[]> {
    const facts = await this.runtimes.factsOf(connections.map(({ deploymentId }) => deploymentId));
    return this.cloud.placed(
      connections.flatMap((connection) => {
        const deployment = facts.get(connection.deploymentId);
        const { kind } = connection;
        return deployment ? [{ connection, kind, name: this.name(connection), at: placeOf(deployment) }] : [];
      }),
    );
  }

  /** Like `find`, without a statement. */
  async look(placed: Placed<LiveConnection>, signal: AbortSignal): Promise<PrivateResource | null> {
    return unlessDeleted(await this.cloud.describeOne(placed, signal));
  }

  /** Starts the destruction. Has no effect without a resource. */
  async destroy(connection: LiveConnection, signal: AbortSignal): Promise<void> {
    const { kind, deploymentId } = connection;
    const facts = await this.runtimes.facts(deploymentId);
    if (facts) await this.cloud.destroy(placeOf(facts), { kind, name: this.name(connection) }, deploymentId, signal);
  }

  /** Returns the name of the resource. */
  name({ deploymentId, kind, id }: LiveConnection): string {
    return resourceName(this.installation.name, deploymentId, kind, id);
  }

  /** The part of the specification that the operator defines, not the customer. */
  private ours({ id, region }: DeploymentFacts): Record<PrivateConnectionKind, object> {
    const network = resourceName(this.installation.name, id, 'network');
    const balancer = resourceName(this.installation.name, id, 'load_balancer');
    return {
      vpc_peering: { network, region, peer_region: region },
      network_peering: { network },
      endpoint_service: { load_balancer: balancer, region },
      service_attachment: { load_balancer: balancer, region },
    };
  }
}

/** A peering that the provider still shows as deleted counts as removed. */
function unlessDeleted(resource: Resource<PrivateConnectionKind> | null): PrivateResource | null {
  const seen = resource as PrivateResource | null;
  return seen?.kind === 'vpc_peering' && seen.attributes.status === 'deleted' ? null : seen;
}
