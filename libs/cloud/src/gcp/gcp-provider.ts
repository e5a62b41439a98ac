import { CLOUD_FEATURES } from '../cloud-features.js';
import type { CloudProvider, Place } from '../cloud-provider.js';
import type { AccountVerdict, CustomerAccount } from '../customer-account.js';
import type { DriverMemory, MemoryKey } from '../driver/driver-memory.js';
import { RememberingDriver, type DriverKinds } from '../driver/remembering-driver.js';
import { GcpRestoredVolumes } from './disks/gcp-restored-volumes.js';
import { GcpSnapshots } from './disks/gcp-snapshots.js';
import { GcpAddresses } from './gcp-addresses.js';
import { GcpApi, type GcpConnection } from './gcp-api.js';
import { GcpBalancers } from './gcp-balancers.js';
import { GcpFirewalls } from './gcp-firewalls.js';
import { GcpWork } from './gcp-work.js';
import { GcpAttachments } from './network/gcp-attachments.js';
import { GcpNetworks } from './network/gcp-networks.js';
import { GcpPeerings } from './network/gcp-peerings.js';
import { GcpNodes } from './nodes/gcp-nodes.js';
import type { GcpNodeSettings } from './nodes/node-settings.js';

/** Checks the project of a customer. */
export interface GcpAccountVerdicts {
  verdictOf(account: CustomerAccount, signal?: AbortSignal): Promise<AccountVerdict>;
}

/** The driver of Google Cloud. */
export class GcpProvider extends RememberingDriver<GcpApi, GcpWork> implements CloudProvider {
  readonly driver = 'gcp';
  readonly features = CLOUD_FEATURES.gcp;
  readonly addresses = 'own';
  readonly hasSnapshots = true;
  readonly hasOneInventory = false;
  protected readonly kinds: DriverKinds<GcpApi, GcpWork>;

  constructor(
    installation: string,
    memory: DriverMemory,
    private readonly connection: GcpConnection,
    { nodes, accounts }: { nodes: GcpNodeSettings; accounts: GcpAccountVerdicts },
  ) {
    super('Google Cloud', installation, memory);
    this.accounts = accounts;
    this.kinds = {
      network: new GcpNetworks(memory),
      firewall: new GcpFirewalls(),
      node: new GcpNodes(nodes),
      address: new GcpAddresses(),
      load_balancer: new GcpBalancers(),
      network_peering: new GcpPeerings(),
      service_attachment: new GcpAttachments(),
      restored_volume: new GcpRestoredVolumes(),
      snapshot: new GcpSnapshots(),
    };
  }

  private readonly accounts: GcpAccountVerdicts;

  protected async access(at: Place): Promise<GcpApi> {
    return new GcpApi(this.connection, at);
  }

  protected async begin(key: MemoryKey, at: Place, signal: AbortSignal | undefined): Promise<GcpWork> {
    return GcpWork.begin(key, new GcpApi(this.connection, at), this.memory, signal);
  }

  validateAccount(account: CustomerAccount, signal?: AbortSignal): Promise<AccountVerdict> {
    return this.accounts.verdictOf(account, signal);
  }
}
