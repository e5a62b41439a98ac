import { CLOUD_FEATURES } from '../cloud-features.js';
import type { CloudProvider, Place } from '../cloud-provider.js';
import type { AccountVerdict, CustomerAccount } from '../customer-account.js';
import type { DriverMemory, MemoryKey } from '../driver/driver-memory.js';
import { RememberingDriver, type DriverKinds } from '../driver/remembering-driver.js';
import { AwsAccountCheck } from './accounts/aws-account-check.js';
import { AwsQuotas } from './accounts/aws-quotas.js';
import { AwsAddresses } from './aws-addresses.js';
import { AwsBalancers } from './aws-balancers.js';
import { AwsClientPool, type AwsClients, type AwsConnection } from './aws-clients.js';
import { AwsEndpointServices } from './network/aws-endpoint-services.js';
import { AwsRestoredVolumes } from './disks/aws-restored-volumes.js';
import { AwsSnapshots } from './disks/aws-snapshots.js';
import { AwsFirewalls } from './aws-firewalls.js';
import { AwsNetworks } from './aws-networks.js';
import { AwsPeerings } from './network/aws-peerings.js';
import { AwsWork } from './aws-work.js';
import { AwsNodes } from './nodes/aws-nodes.js';
import type { AwsNodeSettings } from './nodes/node-settings.js';

/** The driver of AWS. */
export class AwsProvider extends RememberingDriver<AwsClients, AwsWork> implements CloudProvider {
  readonly driver = 'aws';
  readonly features = CLOUD_FEATURES.aws;
  readonly addresses = 'own';
  readonly hasSnapshots = true;
  readonly hasOneInventory = false;
  private readonly pool: AwsClientPool;
  private readonly accounts: AwsAccountCheck;
  protected readonly kinds: DriverKinds<AwsClients, AwsWork>;

  constructor(installation: string, memory: DriverMemory, connection: AwsConnection, nodes: AwsNodeSettings) {
    super('AWS', installation, memory);
    this.pool = new AwsClientPool(connection);
    this.kinds = {
      network: new AwsNetworks(memory),
      firewall: new AwsFirewalls(),
      node: new AwsNodes(nodes),
      address: new AwsAddresses((region) => new AwsQuotas(connection, region)),
      load_balancer: new AwsBalancers(),
      vpc_peering: new AwsPeerings(),
      endpoint_service: new AwsEndpointServices(),
      restored_volume: new AwsRestoredVolumes(),
      snapshot: new AwsSnapshots(),
    };
    this.accounts = new AwsAccountCheck(installation, connection, this.pool);
  }

  protected access(at: Place): Promise<AwsClients> {
    return this.pool.of(at);
  }

  protected async begin(key: MemoryKey, at: Place, signal: AbortSignal | undefined): Promise<AwsWork> {
    return AwsWork.begin(key, await this.access(at), this.memory, signal);
  }

  validateAccount(account: CustomerAccount, signal?: AbortSignal): Promise<AccountVerdict> {
    return this.accounts.verdictOf(account, signal);
  }
}
