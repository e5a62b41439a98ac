import type { StorageType, Tier } from '@libs/catalog';
import { AwsProvider, AwsRoles, SharedCallPermits, SharedDriverMemory, type AwsNodeSettings } from '@libs/cloud';
import {
  CloudCallSlotsRepository,
  DeploymentAccountsRepository,
  DriverResourcesRepository,
} from '@libs/persistence/runtime';
import type { SupervisorConfig } from '../../config.js';
import { driverNodes, type DriverSurroundings } from '../driver-nodes.js';
import { CustomerRoles } from './customer-roles.js';

/** The driver of AWS, from the settings of the Supervisor. */
export function awsDriver(config: SupervisorConfig, surroundings: DriverSurroundings): AwsProvider {
  const { installation, catalog, database, secrets } = surroundings;
  const nodes: AwsNodeSettings = {
    ...driverNodes(config, surroundings),
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
