import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FactoryProvider } from '@nestjs/common';
import { LocalProvider, MachinesProvider, type CloudProvider } from '@libs/cloud';
import { Catalog } from '@libs/catalog';
import { Database, Secrets } from '@libs/persistence';
import { MachinePlacementRepository, MachineResourcesRepository } from '@libs/persistence/runtime';
import { StepImpossible } from '@libs/workflow';
import type { SupervisorConfig } from '../config.js';
import { awsDriver } from './aws/aws-driver.js';
import { gcpDriver } from './gcp/gcp-driver.js';
import { Installation } from './installation.js';
import { LocalBroker } from './local-broker.js';

/** An entry point of this app. Started by path, never imported. */
const AGENT_ENTRY = fileURLToPath(new URL('../../../../libs/host/src/node/agent.main.js', import.meta.url));

/** The driver of each cloud, from the settings of the Supervisor. */
export class CloudProviders {
  /**
   * @param byCloud The driver for new resources of each cloud.
   * @param others Drivers that only serve resources from before a change of the setting.
   */
  constructor(
    private readonly byCloud: ReadonlyMap<string, CloudProvider>,
    private readonly others: readonly CloudProvider[] = [],
  ) {}

  /** Returns the driver for new resources. @throws StepImpossible when this Supervisor has no driver for the cloud */
  of(cloud: string): CloudProvider {
    const provider = this.byCloud.get(cloud);
    if (!provider) throw new StepImpossible(`this supervisor has no driver for ${cloud}`);
    return provider;
  }

  /** @throws StepImpossible when this Supervisor has no driver of this name */
  driver(name: string): CloudProvider {
    const provider = this.all().find(({ driver }) => driver === name);
    if (!provider) throw new StepImpossible(`this supervisor has no driver ${name}`);
    return provider;
  }

  /** Returns the driver, or null if this Supervisor has none for the cloud. */
  find(cloud: string): CloudProvider | null {
    return this.byCloud.get(cloud) ?? null;
  }

  /** Maps the driver of each cloud. */
  mapped<T>(map: (provider: CloudProvider) => T): Record<string, T> {
    return Object.fromEntries([...this.byCloud].map(([cloud, provider]) => [cloud, map(provider)]));
  }

  /** Returns each driver once, also when it serves several clouds. */
  all(): CloudProvider[] {
    return [...new Set([...this.byCloud.values(), ...this.others])];
  }
}

/** Local agents trust the authority of the gateway, as machines do. They get nothing else from the environment of this process. */
function agentEnvironment({ AGENT_CA, TLS_CERT }: SupervisorConfig): Record<string, string> {
  const file = AGENT_CA ?? TLS_CERT;
  return file === undefined ? {} : { NODE_EXTRA_CA_CERTS: resolve(file) };
}

/** All drivers, and those of new resources by the settings. Existing resources can need a driver that no setting names. */
export const cloudProviders = (config: SupervisorConfig): FactoryProvider<CloudProviders> => ({
  provide: CloudProviders,
  useFactory: (
    { name }: Installation,
    { binaries }: LocalBroker,
    catalog: Catalog,
    database: Database,
    secrets: Secrets,
  ) => {
    const local = new LocalProvider({
      dataDir: resolve(config.LANDLORD_DATA_DIR),
      installation: name,
      bindAddress: config.LOCAL_BIND_ADDRESS,
      publicAddress: config.LOCAL_PUBLIC_ADDRESS ?? config.LOCAL_BIND_ADDRESS,
      agentEntry: AGENT_ENTRY,
      agentUrl: config.AGENT_PUBLIC_URL,
      binaries,
      allowPrivateDestinations: config.ALLOW_PRIVATE_DESTINATIONS,
      env: agentEnvironment(config),
    });
    const placement = new MachinePlacementRepository(database, config.SUPERVISOR_CELL);
    const machines = new MachinesProvider(placement, new MachineResourcesRepository(database), name);
    const surroundings = { installation: name, catalog, database, secrets };
    const drivers = { local, machines, aws: awsDriver(config, surroundings), gcp: gcpDriver(config, surroundings) };
    const chosen = { aws: drivers[config.LANDLORD_PROVIDER_AWS], gcp: drivers[config.LANDLORD_PROVIDER_GCP] };
    return new CloudProviders(new Map(Object.entries(chosen)), Object.values(drivers));
  },
  inject: [Installation, LocalBroker, Catalog, Database, Secrets],
});
