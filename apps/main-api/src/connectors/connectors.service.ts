import { Injectable } from '@nestjs/common';
import { connectorCatalogue, type ConnectorPlugin } from '@libs/broker-config';
import { DomainError } from '@libs/domain';
import { Page, type ActingCaller } from '@libs/http';
import {
  ConfigVersionsRepository,
  ConnectorInstancesRepository,
  type ConnectorInstanceRow,
} from '@libs/persistence/runtime';
import { TenantEntitlements } from '../tenants/index.js';
import { isPermitted } from './connector-plans.js';
import type { ActivatedInstanceView, ConnectorView } from './dto/connector.view.js';
import type { ConnectorsQuery } from './dto/connectors.query.js';

/** The catalogue of connectors for a deployment. */
@Injectable()
export class ConnectorsService {
  constructor(
    private readonly configs: ConfigVersionsRepository,
    private readonly instances: ConnectorInstancesRepository,
    private readonly entitlements: TenantEntitlements,
  ) {}

  async list({ tenantId, deployment }: ActingCaller, query: ConnectorsQuery): Promise<Page<ConnectorView>> {
    const broker = await this.configs.broker(deployment.id);
    if (!broker) throw new DomainError('deployment_not_found', 'The deployment no longer has nodes.');
    const entitlements = await this.entitlements.of(tenantId);
    const instances = await this.instances.list(deployment.id);
    const all = connectorCatalogue(broker).filter(({ type }) => query.type === undefined || type === query.type);
    const first = (query.page - 1) * query.results;
    const items = all
      .slice(first, first + query.results)
      .map((plugin) => toView(plugin, isPermitted(entitlements, plugin), instances));
    return new Page({ items, total: all.length }, query);
  }
}

const toView = (
  { key, type, name, description, version, runtime, available, unavailableReason }: ConnectorPlugin,
  permitted: boolean,
  instances: readonly ConnectorInstanceRow[],
): ConnectorView => ({
  ...{ key, type, name, description, version, runtime },
  ...{ available, unavailable_reason: unavailableReason, permitted },
  activated_instances: instances
    .filter((instance) => instance.type === type && instance.plugin === key)
    .map(({ id, key: instanceKey, name: instanceName, status }): ActivatedInstanceView => {
      return { id, key: instanceKey, name: instanceName, status };
    }),
});
