import { readFileSync } from 'node:fs';
import type { Catalog, StorageType, Tier } from '@libs/catalog';
import { AwsProvider, AwsRoles, SharedDriverMemory, SharedCallPermits, type AwsNodeSettings } from '@libs/cloud';
import { gatewayAuthority } from '@libs/domain';
import type { Database, Secrets } from '@libs/persistence';
import {
  DriverResourcesRepository,
  CloudCallSlotsRepository,
  DeploymentAccountsRepository,
  MachineReservationsRepository,
} from '@libs/persistence/runtime';
import type { SupervisorConfig } from '../../config.js';
import { CustomerRoles } from './customer-roles.js';

/** What the driver needs of this Supervisor besides its settings. */
interface Surroundings {
  installation: string;
  catalog: Catalog;
  database: Database;
  secrets: Secrets;
}

/** The script that the gateway also sends to hosts. */
const JOIN_SCRIPT = new URL('../../gateway/machines/join.sh', import.meta.url);

/** The driver of AWS, from the settings of the Supervisor. */
export function awsDriver(
  config: SupervisorConfig,
  { installation, catalog, database, secrets }: Surroundings,
): AwsProvider {
  const authority = gatewayAuthority(config);
  const nodes: AwsNodeSettings = {
    machines: new MachineReservationsRepository(database, secrets, config.SUPERVISOR_CELL),
    join:
      authority === null
        ? null
        : { url: config.AGENT_PUBLIC_URL, authority, script: readFileSync(JOIN_SCRIPT, 'utf8') },
    image: config.AWS_IMAGE,
    processors: config.AWS_PROCESSORS,
    typesOf: (variant, storage) => catalog.awsInstanceTypes(variant as Tier, storage as StorageType),
  };
  const api = {
    endpoint: config.AWS_ENDPOINT_URL,
    permits: new SharedCallPermits(new CloudCallSlotsRepository(database), 'aws'),
  };
  const roles = new AwsRoles(api, new CustomerRoles(new DeploymentAccountsRepository(database, secrets)));
  const connection = { ...api, credentialsOf: roles.credentialsOf, keysRefused: roles.keysRefused };
  return new AwsProvider(
    installation,
    new SharedDriverMemory(new DriverResourcesRepository(database)),
    connection,
    nodes,
  );
}
