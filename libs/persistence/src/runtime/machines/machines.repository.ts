import { Injectable } from '@nestjs/common';
import type { JoinedMachine, MachineId } from '@libs/domain';
import { statement, Database } from '../../database.js';
import type { Machine } from './entities/machine.entity.js';

/** The data that the gateway needs to authenticate a machine. */
export type MachineCredential = Pick<Machine, 'id' | 'status' | 'credential_hash' | 'credential_confirmed'>;
/** What the document of a machine needs from its row. */
export type MachineHead = Pick<Machine, 'id' | 'generation' | 'processor'>;

/** What a machine reports about itself. */
export interface ReportedMachine {
  agentVersion: string;
  /** The generation of the document that the machine has applied. */
  generation: number;
  facts: JoinedMachine;
}

const FIND_CREDENTIAL = statement(
  'machine.credential',
  'select id, status, credential_hash, credential_confirmed from machines where id = $1 and cell = $2',
);
const CONFIRM = statement(
  'machine.confirm',
  `update machines set credential_confirmed = true
    where id = $1 and credential_hash = $2 and not credential_confirmed and status <> 'removed'
   returning pg_notify('landlord_machines', id::text)`,
);
const HEAD = statement(
  'machine.head',
  `select id, generation, processor from machines where id = $1 and status <> 'removed'`,
);
// A machine cannot change its processor or its place. It cannot report a generation that it never got.
const RECORD = statement(
  'machine.record',
  `update machines
      set hostname = $2, address = $3, cpus = $4, memory_mib = $5, disk_gib = $6, agent_version = $7,
          observed_generation = least($8::bigint, generation), last_seen_at = now()
    where id = $1 and status <> 'removed'`,
);

/** The hosts that run nodes. No statement changes a removed machine. */
@Injectable()
export class MachinesRepository {
  constructor(private readonly database: Database) {}

  /** Null for an unknown machine, and for a machine of another cell. */
  async findCredential(id: MachineId, cell: string): Promise<MachineCredential | null> {
    const [row] = await this.database.query<MachineCredential>(FIND_CREDENTIAL, [id, cell]);
    return row ?? null;
  }

  /** The first authenticated call. After it the join token is invalid. */
  async confirm(id: MachineId, credentialHash: Buffer): Promise<void> {
    await this.database.execute(CONFIRM, [id, credentialHash]);
  }

  async findHead(id: MachineId): Promise<MachineHead | null> {
    const [row] = await this.database.query<MachineHead>(HEAD, [id]);
    return row ?? null;
  }

  /**
   * Stores the facts of a machine and locks its row until the end of the transaction. Returns false for a removed machine.
   */
  async record(id: MachineId, { agentVersion, generation, facts }: ReportedMachine): Promise<boolean> {
    const { hostname, address, cpus, memory_mib, disk_gib } = facts;
    const values = [hostname, address, cpus, memory_mib, disk_gib, agentVersion, generation];
    return (await this.database.execute(RECORD, [id, ...values])) === 1;
  }
}
