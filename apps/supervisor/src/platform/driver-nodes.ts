import { readFileSync } from 'node:fs';
import type { Catalog } from '@libs/catalog';
import type { ReservedMachines } from '@libs/cloud';
import { gatewayAuthority, type JoinFiles } from '@libs/domain';
import type { Database, Secrets } from '@libs/persistence';
import { MachineReservationsRepository } from '@libs/persistence/runtime';
import type { SupervisorConfig } from '../config.js';

/** What the driver of a cloud needs of this Supervisor besides its settings. */
export interface DriverSurroundings {
  installation: string;
  catalog: Catalog;
  database: Database;
  secrets: Secrets;
}

/** The script that the gateway also sends to hosts. */
const JOIN_SCRIPT = new URL('../gateway/machines/join.sh', import.meta.url);

/** How the instances of a cloud join as machines. */
export function driverNodes(
  config: SupervisorConfig,
  { database, secrets }: DriverSurroundings,
): { machines: ReservedMachines; join: JoinFiles | null } {
  const authority = gatewayAuthority(config);
  const script = (): string => readFileSync(JOIN_SCRIPT, 'utf8');
  return {
    machines: new MachineReservationsRepository(database, secrets, config.SUPERVISOR_CELL),
    join: authority === null ? null : { url: config.AGENT_PUBLIC_URL, authority, script: script() },
  };
}
