import { Injectable } from '@nestjs/common';
import type { LimitName, TenantId } from '@libs/domain';
import { ChannelsRepository, SubscriptionsRepository } from '@libs/persistence/channels';
import { CloudAccountsRepository, DivisionsRepository, EnvironmentsRepository } from '@libs/persistence/organization';
import { BackupsRepository, PrivateConnectionsRepository } from '@libs/persistence/runtime';

/** The usage of the limits on resources. Each number is the count that the creation of the resource checks. */
@Injectable()
export class ResourceUsage {
  constructor(
    private readonly accounts: CloudAccountsRepository,
    private readonly backups: BackupsRepository,
    private readonly channels: ChannelsRepository,
    private readonly divisions: DivisionsRepository,
    private readonly environments: EnvironmentsRepository,
    private readonly connections: PrivateConnectionsRepository,
    private readonly subscriptions: SubscriptionsRepository,
  ) {}

  async of(tenantId: TenantId): Promise<Partial<Record<LimitName, number>>> {
    const { tenant: environments } = await this.environments.counts(tenantId, 0);
    return {
      divisions_limit: await this.divisions.count(tenantId),
      environments_limit: environments,
      cloud_accounts_limit: await this.accounts.count(tenantId),
      notification_channels_limit: await this.channels.count(tenantId),
      notification_subscriptions_limit: await this.subscriptions.count(tenantId, null),
      private_connections_limit: await this.connections.usage(tenantId, ['vpc_peering', 'network_peering']),
      private_endpoints_limit: await this.connections.usage(tenantId, ['endpoint_service', 'service_attachment']),
      backup_regions_limit: (await this.backups.regions(tenantId)).length,
    };
  }
}
