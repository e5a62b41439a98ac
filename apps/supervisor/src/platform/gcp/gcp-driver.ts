import type { StorageType, Tier } from '@libs/catalog';
import {
  GcpAccountCheck,
  GcpAccounts,
  GcpProvider,
  OperatorTokens,
  SharedCallPermits,
  SharedDriverMemory,
  type GcpNodeSettings,
} from '@libs/cloud';
import { TenantsRepository } from '@libs/persistence/organization';
import {
  CloudCallSlotsRepository,
  DeploymentAccountsRepository,
  DriverResourcesRepository,
} from '@libs/persistence/runtime';
import type { SupervisorConfig } from '../../config.js';
import { driverNodes, type DriverSurroundings } from '../driver-nodes.js';
import { CustomerServiceAccounts } from './customer-service-accounts.js';

/** The driver of Google Cloud, from the settings of the Supervisor. */
export function gcpDriver(config: SupervisorConfig, surroundings: DriverSurroundings): GcpProvider {
  const { installation, catalog, database, secrets } = surroundings;
  const nodes: GcpNodeSettings = {
    ...driverNodes(config, surroundings),
    image: config.GCP_IMAGE,
    processors: config.GCP_PROCESSORS,
    typesOf: (variant, storage) => catalog.gcpMachineTypes(variant as Tier, storage as StorageType),
  };
  const access = { endpoint: config.GCP_ENDPOINT, operator: new OperatorTokens() };
  const rows = new CustomerServiceAccounts(
    new DeploymentAccountsRepository(database, secrets),
    new TenantsRepository(database),
  );
  const connection = {
    endpoint: config.GCP_ENDPOINT,
    project: config.GCP_PROJECT ?? '',
    permits: new SharedCallPermits(new CloudCallSlotsRepository(database), 'gcp'),
    tokens: new GcpAccounts(access, rows),
  };
  const memory = new SharedDriverMemory(new DriverResourcesRepository(database));
  const accounts = new GcpAccountCheck(access, connection);
  return new GcpProvider(installation, memory, connection, { nodes, accounts });
}
