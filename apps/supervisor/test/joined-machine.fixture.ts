import type { MachineId } from '@libs/domain';
import type { WorkflowBench } from '@libs/testing';

interface MachineRow {
  cell: string;
  region: string;
  zone: string;
  hostname: string;
  memory_mib: number;
  cpus: number;
  disk_gib: number;
  status: string;
  /** Seconds since its last status. */
  silentFor: number;
}

const LARGE = { hostname: 'host', memory_mib: 65_536, cpus: 64, disk_gib: 4_096, status: 'active', silentFor: 0 };

/** The row of a machine that has joined and reports. */
export async function joinedMachine(
  bench: WorkflowBench,
  machine: Partial<MachineRow> & Pick<MachineRow, 'cell' | 'region' | 'zone'>,
): Promise<MachineId> {
  const { cell, region, zone, hostname, memory_mib, cpus, disk_gib, status, silentFor } = { ...LARGE, ...machine };
  const [row] = await bench.rows<{ id: MachineId }>(
    `insert into machines (cell, region, zone, hostname, address, processor, cpus, memory_mib, disk_gib, status, credential_hash,
                           agent_version, last_seen_at)
     values ($1, $2, $3, $4, '192.0.2.1', 'x64', $5, $6, $7, $8, '', '1', now() - make_interval(secs => $9)) returning id`,
    [cell, region, zone, hostname, cpus, memory_mib, disk_gib, status, silentFor],
  );
  return Number(row?.id);
}
