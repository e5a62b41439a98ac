import { Inject, Injectable } from '@nestjs/common';
import { connectorPlugin } from '@libs/broker-config';
import { DomainError, type DeploymentId } from '@libs/domain';
import { ConfigVersionsRepository, ConnectorInstancesRepository } from '@libs/persistence/runtime';
import { ActivityRequests } from '../../activities/index.js';
import { SUPERVISOR_CONFIG, type SupervisorConfig } from '../../config.js';
import { BrokerKind } from './broker-kind.js';
import type { ConfigKind, NamedKind } from './config-kind.js';
import { ConnectorKind } from './connector-kind.js';

/** Finds the kind in a path for a deployment. */
@Injectable()
export class ConfigKinds {
  constructor(
    private readonly configs: ConfigVersionsRepository,
    private readonly instances: ConnectorInstancesRepository,
    private readonly requests: ActivityRequests,
    @Inject(SUPERVISOR_CONFIG) private readonly config: SupervisorConfig,
  ) {}

  /** @throws DomainError deployment_not_found, connector_not_found */
  async find(deploymentId: DeploymentId, named: NamedKind): Promise<ConfigKind> {
    const broker = await this.configs.broker(deploymentId);
    if (!broker) throw new DomainError('deployment_not_found', 'The deployment no longer has nodes.');
    if (named === 'broker') return new BrokerKind(broker);
    const { type, key } = named;
    const plugin = connectorPlugin(broker, type, key);
    if (!plugin) throw new DomainError('connector_not_found', `The catalogue has no connector ${type}:${key}.`);
    const all = await this.instances.list(deploymentId);
    const instances = all.filter((instance) => instance.type === type && instance.plugin === key);
    return new ConnectorKind(plugin, instances, this.requests, this.config.ALLOW_PRIVATE_DESTINATIONS);
  }
}
