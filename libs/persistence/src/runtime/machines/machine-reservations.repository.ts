import { randomBytes } from 'node:crypto';
import type { MachineId, MachineTokenId, NodeToPlace, PlacedNode } from '@libs/domain';
import { statement, Database } from '../../database.js';
import type { SecretLocation } from '../../sealed-columns.js';
import type { Secrets } from '../../secrets.js';
import { hashAgentSecret } from '../nodes/node-agents.repository.js';
import { CHANGED, IS_SILENT } from './machine-capacity.js';

/** A token is in the user data of its machine, which others in the account can read. So it is valid for a start only. */
const TOKEN_MINUTES = 30;

/** The machine that a cloud makes for a node, as Landlord sees the machine. */
export interface ReservedMachine {
  /** Of the node that the machine was made for. */
  incarnation: number;
  /** `expected`: the machine has not joined. `removed`: an operator has removed the machine. */
  machine: 'expected' | 'joined' | 'removed';
  /** Null unless the machine has joined. */
  node: PlacedNode | null;
}

// The old machine of the node can no longer act for it, and its token is invalid.
const RETIRE_MACHINE = statement(
  'machine_reservation.retire_machine',
  `update machines m set status = 'removed', removed_at = now(), generation = m.generation + 1
     from machine_reservations r
    where r.name = $1 and m.id = r.machine_id and m.status <> 'removed'
   returning pg_notify('landlord_machines', m.id::text)`,
);
const RETIRE_NODE = statement('machine_reservation.retire_node', 'delete from machine_nodes where name = $1');
const RETIRE_TOKEN = statement(
  'machine_reservation.retire_token',
  `update machine_tokens t set expires_at = least(t.expires_at, now()) from machine_reservations r where r.name = $1 and t.id = r.token_id`,
);
const ISSUE_TOKEN = statement(
  'machine_reservation.issue_token',
  `insert into machine_tokens (cell, region, zone, secret_hash, expires_at)
   values ($1, $2, $3, $4, now() + interval '${TOKEN_MINUTES} minutes') returning id`,
);
const FIND_TOKEN = statement(
  'machine_reservation.find_token',
  `select r.token_id, r.secret from machine_reservations r join machine_tokens t on t.id = r.token_id
    where r.name = $1 and (r.node ->> 'incarnation')::int = $2 and r.machine_id is null and r.secret is not null
      and t.region = $3 and t.zone = $4 and t.expires_at > now()`,
);
const PUT = statement(
  'machine_reservation.put',
  `insert into machine_reservations (name, node, token_id, secret) values ($1, $2, $3, $4)
   on conflict (name) do update
      set node = excluded.node, token_id = excluded.token_id, secret = excluded.secret, machine_id = null`,
);
const UPDATE = statement(
  'machine_reservation.update',
  `update machine_reservations set node = $2 where name = $1 and node <> $2 and (node ->> 'incarnation')::int = $3`,
);
const RENEW_TOKEN = statement(
  'machine_reservation.renew_token',
  `update machine_tokens t set expires_at = now() + interval '${TOKEN_MINUTES} minutes'
     from machine_reservations r
    where r.name = $1 and t.id = r.token_id and r.machine_id is null and t.expires_at > now()`,
);
const LOCK_MACHINE = statement(
  'machine_reservation.lock_machine',
  `select m.id from machine_reservations r join machines m on m.id = r.machine_id
    where r.name = $1 and m.status <> 'removed' for update of m`,
);
// The machine has a little less than its type, because the system needs some.
const RESIZE = statement(
  'machine_reservation.resize',
  `update machine_nodes n
      set memory_mib = least($3, m.memory_mib), cpus = least($4, m.cpus), disk_gib = least($5, m.disk_gib), ports = $6
     from machines m
    where n.name = $1 and n.incarnation = $2 and m.id = n.machine_id
      and (n.memory_mib, n.cpus, n.disk_gib, n.ports)
          is distinct from (least($3, m.memory_mib), least($4, m.cpus), least($5, m.disk_gib), $6::integer[])
   returning n.machine_id`,
);
const FIND = statement(
  'machine_reservation.find',
  `select r.name, (r.node ->> 'incarnation')::int as incarnation,
          case when r.machine_id is null then 'expected' when m.status = 'removed' then 'removed' else 'joined' end as machine,
          n.node_id, n.deployment_id, n.intent, n.state, n.reason, n.machine_id, m.hostname, m.address, m.zone,
          ${IS_SILENT} as is_silent
     from machine_reservations r
     left join machines m on m.id = r.machine_id
     left join machine_nodes n on n.name = r.name and n.machine_id = r.machine_id
    where r.name = any($1::text[])`,
);
const DELETE = statement('machine_reservation.delete', 'delete from machine_reservations where name = $1');

const locationOf = (name: string): SecretLocation => ({ table: 'machine_reservations', column: 'secret', row: name });

interface OfferedToken {
  token_id: MachineTokenId;
  secret: string | null;
}
/** Without a machine, or without its node, these columns are null. */
type FoundRow = Pick<ReservedMachine, 'incarnation' | 'machine'> &
  Pick<PlacedNode, 'name' | 'is_silent'> & {
    [K in Exclude<keyof PlacedNode, 'name' | 'is_silent'>]: PlacedNode[K] | null;
  };

/** The machines that a cloud makes for one node each. The driver holds the node in all calls that write. */
export class MachineReservationsRepository {
  constructor(
    private readonly database: Database,
    private readonly secrets: Secrets,
    private readonly cell: string,
  ) {}

  /**
   * Expects a machine for the node, and returns the token with which the machine joins: `<id>.<secret>`. The token stays the same until
   * the machine has joined, because the cloud may have it already. Another incarnation or zone gets another token: the earlier machine
   * is removed, and the earlier token is invalid.
   */
  async offer(node: NodeToPlace): Promise<string> {
    const { name, incarnation, region, zone } = node;
    await this.update(node);
    const placement = [name, incarnation, region, zone];
    const [token] = await this.database.query<OfferedToken>(FIND_TOKEN, placement);
    if (token?.secret) return `${token.token_id}.${this.secrets.open(locationOf(name), token.secret)}`;
    const secret = randomBytes(32).toString('base64url');
    return this.database.transaction(async () => {
      await this.retire(name);
      const values = [this.cell, region, zone, hashAgentSecret(secret)];
      const [issued] = await this.database.query<{ id: MachineTokenId }>(ISSUE_TOKEN, values);
      const sealed = this.secrets.seal(locationOf(name), secret);
      await this.database.execute(PUT, [name, JSON.stringify(node), issued?.id, sealed]);
      return `${issued?.id}.${secret}`;
    });
  }

  /** Gives the node its new size and ports, and lets an expected machine join for 30 more minutes. */
  async update(node: NodeToPlace): Promise<void> {
    const { name, incarnation, memory_mib, cpus, disk_gib, ports } = node;
    await this.database.transaction(async () => {
      await this.database.query(LOCK_MACHINE, [name]);
      await this.database.execute(UPDATE, [name, JSON.stringify(node), incarnation]);
      await this.database.execute(RENEW_TOKEN, [name]);
      const size = [name, incarnation, memory_mib, cpus, disk_gib, ports];
      const [changed] = await this.database.query<{ machine_id: MachineId }>(RESIZE, size);
      if (changed) await this.database.query(CHANGED, [changed.machine_id]);
    });
  }

  /** By the name of the node. A node without a reservation is missing. */
  async find(names: readonly string[]): Promise<Map<string, ReservedMachine>> {
    const rows = names.length === 0 ? [] : await this.database.query<FoundRow>(FIND, [names]);
    return new Map(
      rows.map(({ incarnation, machine, ...node }) => {
        const placed = machine === 'joined' && node.node_id !== null ? (node as PlacedNode) : null;
        return [node.name, { incarnation, machine, node: placed }];
      }),
    );
  }

  /** The machine is gone for certain. No machine joins for the node after that. */
  async release(name: string): Promise<void> {
    await this.database.transaction(async () => {
      await this.retire(name);
      await this.database.execute(DELETE, [name]);
    });
  }

  private async retire(name: string): Promise<void> {
    await this.database.query(RETIRE_MACHINE, [name]);
    await this.database.execute(RETIRE_NODE, [name]);
    await this.database.execute(RETIRE_TOKEN, [name]);
  }
}
