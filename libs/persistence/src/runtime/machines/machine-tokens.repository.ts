import { Injectable } from '@nestjs/common';
import type { JoinedMachine, MachineTokenId } from '@libs/domain';
import { IsNull } from 'typeorm';
import { inFuture } from '../../conditions.js';
import { statement, Database } from '../../database.js';
import type { Machine } from './entities/machine.entity.js';
import { MachineToken } from './entities/machine-token.entity.js';

/** The machine that joined, and its place. */
export type JoinedRow = Pick<Machine, 'id' | 'region' | 'zone'>;

/** A host that wants to be a machine. */
export interface JoiningMachine {
  tokenId: MachineTokenId;
  secretHash: Buffer;
  /** The cell of the gateway. Tokens of other cells are not valid there. */
  cell: string;
  credentialHash: Buffer;
  agentVersion: string;
  facts: JoinedMachine;
}

type LockedToken = Pick<MachineToken, 'id' | 'machine_id'>;

const VALID = `id = $1 and secret_hash = $2 and cell = $3 and expires_at > now()`;
// Of two joins at once with one token, the second waits here and then reads the machine of the first.
const LOCK = statement('machine_token.lock', `select id, machine_id from machine_tokens where ${VALID} for update`);
const CREATE = statement(
  'machine_token.create_machine',
  `insert into machines (cell, region, zone, credential_hash, agent_version, hostname, address, processor, cpus, memory_mib,
                         disk_gib)
   select cell, region, zone, $2, $3, $4, $5, $6, $7, $8, $9 from machine_tokens where id = $1
   returning id, region, zone`,
);
// The token of a reservation: the machine gets its node in the same transaction, so a report never meets a machine without it.
const TAKE_RESERVATION = statement(
  'machine_token.take_reservation',
  `with reservation as (
     update machine_reservations set machine_id = $2, secret = null where token_id = $1 returning name, node
   ), marked as (
     update machines m set reserved_for = r.name from reservation r where m.id = $2
   )
   insert into machine_nodes (name, node_id, deployment_id, machine_id, incarnation, broker, memory_mib, cpus, disk_gib, ports,
                              is_dedicated)
   select r.name, (r.node ->> 'node_id')::bigint, (r.node ->> 'deployment_id')::bigint, m.id, (r.node ->> 'incarnation')::int,
          r.node ->> 'broker', least((r.node ->> 'memory_mib')::int, m.memory_mib), least((r.node ->> 'cpus')::int, m.cpus),
          least((r.node ->> 'disk_gib')::int, m.disk_gib), array(select jsonb_array_elements_text(r.node -> 'ports')::int),
          (r.node ->> 'is_dedicated')::boolean
     from reservation r join machines m on m.id = $2`,
);
// The agent lost the answer. It has the same secret, because it stored the secret before its first request.
const REPEAT = statement(
  'machine_token.repeat',
  `update machines
      set agent_version = $3, hostname = $4, address = $5, processor = $6, cpus = $7, memory_mib = $8, disk_gib = $9
    where id = $1 and credential_hash = $2 and not credential_confirmed and status <> 'removed'
   returning id, region, zone`,
);

/** The one-time tokens with which hosts become machines. */
@Injectable()
export class MachineTokensRepository {
  constructor(private readonly database: Database) {}

  /** Whether a host could join with this token now. */
  async isUnused(id: MachineTokenId, secretHash: Buffer, cell: string): Promise<boolean> {
    const valid = { id, secret_hash: secretHash, cell, expires_at: inFuture() };
    return this.database.repository(MachineToken).existsBy({ ...valid, machine_id: IsNull() });
  }

  /**
   * Makes the host a machine, in the caller's transaction. A repeated join with the same credential returns the same machine
   * until the machine has used its credential. Null when the token is wrong, expired, of another cell, or used.
   */
  async join({ tokenId, secretHash, cell, ...joining }: JoiningMachine): Promise<JoinedRow | null> {
    const [token] = await this.database.query<LockedToken>(LOCK, [tokenId, secretHash, cell]);
    if (!token) return null;
    const { credentialHash, agentVersion, facts } = joining;
    const { hostname, address, processor, cpus, memory_mib, disk_gib } = facts;
    const values = [credentialHash, agentVersion, hostname, address, processor, cpus, memory_mib, disk_gib];
    if (token.machine_id !== null) {
      return this.database.first<JoinedRow>(REPEAT, [token.machine_id, ...values]);
    }
    const [created] = await this.database.query<JoinedRow>(CREATE, [token.id, ...values]);
    if (!created) return null;
    const used = { machine_id: created.id };
    await this.database.repository(MachineToken).update({ id: token.id, machine_id: IsNull() }, used);
    await this.database.execute(TAKE_RESERVATION, [token.id, created.id]);
    return created;
  }
}
