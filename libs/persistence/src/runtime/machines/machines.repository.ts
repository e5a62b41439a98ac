import { Injectable } from '@nestjs/common';
import type { JoinedMachine, MachineAgentProgram, MachineId } from '@libs/domain';
import { statement, Database } from '../../database.js';
import type { Machine } from './entities/machine.entity.js';
import { MACHINE_SILENT_SECONDS } from './machine-capacity.js';

/** The data that the gateway needs to authenticate a machine. */
export type MachineCredential = Pick<Machine, 'id' | 'status' | 'credential_hash' | 'credential_confirmed'>;
/** What the document of a machine needs from its row. */
export type MachineHead = Pick<Machine, 'id' | 'generation' | 'processor' | 'wanted_agent' | 'wanted_attempt'>;

/** What a machine reports about itself. */
export interface ReportedMachine {
  agentVersion: string;
  /** The generation of the document that the machine has applied. */
  generation: number;
  agent: MachineAgentProgram;
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
  `select m.id, m.generation, m.processor, m.wanted_attempt,
          coalesce(m.wanted_agent, (
            select r.sha256 from agent_rollouts r where r.cell = m.cell and r.state = 'done' order by r.id desc limit 1
          )) as wanted_agent
     from machines m where m.id = $1 and m.status <> 'removed'`,
);
// A machine cannot change its processor or its place. It cannot report a generation that it never got, or refuse a roll-out that did
// not ask it.
const RECORD = statement(
  'machine.record',
  `update machines m
      set hostname = $2, address = $3, cpus = $4, memory_mib = $5, disk_gib = $6, agent_version = $7,
          observed_generation = least($8::bigint, generation), last_seen_at = now(), agent_sha256 = $9,
          agent_refusal = case when wanted_agent = $10 and wanted_attempt = $11 then $12 else agent_refusal end
     from (select id, last_seen_at from machines where id = $1 for no key update) before
    where m.id = before.id and m.status <> 'removed'
   returning least(extract(epoch from now() - before.last_seen_at), 30)::real as unheard_seconds`,
);
// An agent that has reported since its start is heard. Time in which the machine did not report either counts at most 30 s.
const COUNT_UNHEARD = statement(
  'machine.count_unheard',
  `update machine_nodes n set agent_unheard_seconds = n.agent_unheard_seconds + $2
     from nodes
    where n.machine_id = $1 and n.agent_since < now() and nodes.id = n.node_id
      and (nodes.last_seen_at is null or nodes.last_seen_at <= n.agent_since)`,
);

const MOST_IN_A_ZONE = statement(
  'machine.most_in_a_zone',
  `select coalesce(max(zones.machines), 0)::int as machines from (
     select count(*) as machines from machines
      where cell = $1 and region = $2 and status = 'active' and reserved_for is null and last_seen_at > now() - interval '${MACHINE_SILENT_SECONDS} seconds'
      group by zone) zones`,
);

/** The hosts that run nodes. No statement changes a removed machine. */
@Injectable()
export class MachinesRepository {
  constructor(private readonly database: Database) {}

  /** The machines of the zone that has the most, without those that take no nodes now. */
  async countInLargestZone(cell: string, region: string): Promise<number> {
    const [row] = await this.database.query<{ machines: number }>(MOST_IN_A_ZONE, [cell, region]);
    return row?.machines ?? 0;
  }

  /** Null for an unknown machine, and for a machine of another cell. */
  async findCredential(id: MachineId, cell: string): Promise<MachineCredential | null> {
    return this.database.first<MachineCredential>(FIND_CREDENTIAL, [id, cell]);
  }

  /** The first authenticated call. After it the join token is invalid. */
  async confirm(id: MachineId, credentialHash: Buffer): Promise<void> {
    await this.database.execute(CONFIRM, [id, credentialHash]);
  }

  async findHead(id: MachineId): Promise<MachineHead | null> {
    return this.database.first<MachineHead>(HEAD, [id]);
  }

  /**
   * Stores the facts of a machine and locks its row until the end of the transaction. Returns false for a removed machine.
   */
  async record(id: MachineId, { agentVersion, generation, agent, facts }: ReportedMachine): Promise<boolean> {
    const { hostname, address, cpus, memory_mib, disk_gib } = facts;
    const { sha256, refused } = agent;
    const refusal = [refused?.sha256 ?? null, refused?.attempt ?? null, refused?.reason ?? null];
    const values = [hostname, address, cpus, memory_mib, disk_gib, agentVersion, generation, sha256, ...refusal];
    const [row] = await this.database.query<{ unheard_seconds: number | null }>(RECORD, [id, ...values]);
    if (row?.unheard_seconds) await this.database.execute(COUNT_UNHEARD, [id, row.unheard_seconds]);
    return row !== undefined;
  }
}
