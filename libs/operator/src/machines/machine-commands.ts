import { randomBytes } from 'node:crypto';
import type { MachineId } from '@libs/domain';
import { statement } from '@libs/persistence';
import { HAS_ONLY_COPY, MachineNode, OBSTACLE, type MachineToken } from '@libs/persistence/operator';
import { CellsRepository } from '@libs/persistence/organization';
import { hashAgentSecret, MachineMovesRepository } from '@libs/persistence/runtime';
import { IsNull, Not } from 'typeorm';
import { leavingNode, type LeavingNode } from './leaving-node.js';
import { choosePlace, type MachinePlace, type PlaceRequest } from './machine-places.js';
import type { NodeOnMachine, OperatorMachine } from './machine-rows.js';
import { existing, OperatorRefused } from '../operator-refused.js';
import type { OperatorSession } from '../operator-session.js';

type IssuedToken = Pick<MachineToken, 'id' | 'expires_at'>;

/** A one-time token. Only the caller has its secret. */
export interface IssuedMachineToken extends IssuedToken {
  /** `<token id>.<secret>` */
  token: string;
}

/** A machine, and the nodes that are on it. */
export interface MachineWithNodes {
  machine: OperatorMachine;
  nodes: NodeOnMachine[];
}

/** A machine in the list. */
export interface ListedMachine extends OperatorMachine {
  /** The nodes that a draining machine still has. Empty for other machines. */
  leaving: LeavingNode[];
}

const LONGEST_TOKEN_MINUTES = 24 * 60;

const LIST = statement(
  'operator.machines',
  `select m.id, m.cell, m.region, m.zone, m.hostname, m.address, m.processor, m.cpus, m.memory_mib, m.disk_gib, m.status,
          m.agent_version, m.agent_sha256, m.agent_refusal, m.generation, m.observed_generation, m.joined_at, m.last_seen_at, m.removed_at,
          count(n.name)::int as nodes, coalesce(sum(n.memory_mib), 0)::int as placed_memory_mib,
          coalesce(sum(n.disk_gib), 0)::int as placed_disk_gib,
          (select jsonb_build_object('name', m.reserved_for, 'node', node.name, 'deployment_id', d.id, 'deployment', d.name)
             from (select 1) one
             left join machine_reservations r on r.name = m.reserved_for
             left join nodes node on node.id = (r.node ->> 'node_id')::bigint
             left join deployments d on d.id = node.deployment_id
            where m.reserved_for is not null) as reserved_for
     from machines m left join machine_nodes n on n.machine_id = m.id
    where ($1::bigint is null or m.id = $1) and ($2 or m.status <> 'removed')
    group by m.id order by m.id`,
);
const NODES = statement(
  'operator.machine_nodes',
  `select n.node_id, n.deployment_id, d.name as deployment, node.name, n.broker, n.intent, n.state, node.status,
          ${HAS_ONLY_COPY} as has_only_copy, case when m.status = 'draining' and n.intent = 'present' then ${OBSTACLE} end as obstacle
     from machine_nodes n
     join machines m on m.id = n.machine_id
     join nodes node on node.id = n.node_id
     join deployment_runtimes r on r.deployment_id = n.deployment_id
     join deployments d on d.id = n.deployment_id
    where n.machine_id = $1 order by n.deployment_id, node.ordinal`,
);
const INSERT_TOKEN = statement(
  'operator.insert_machine_token',
  `insert into machine_tokens (cell, region, zone, secret_hash, expires_at)
   values ($1, $2, $3, $4, now() + make_interval(mins => $5)) returning id, expires_at`,
);
const DRAIN = statement(
  'operator.drain_machine',
  `update machines set status = 'draining' where id = $1 and status = 'active'
   returning pg_notify('landlord_machines', id::text)`,
);
const RESUME = statement(
  'operator.resume_machine',
  `update machines set status = 'active' where id = $1 and status = 'draining'
   returning pg_notify('landlord_machines', id::text)`,
);
const LOCK = statement(
  'operator.lock_machine',
  `select 1 from machines where id = $1 and status <> 'removed' for update`,
);
const REMOVE = statement(
  'operator.remove_machine',
  `update machines set status = 'removed', removed_at = now(), generation = generation + 1
    where id = $1 and status <> 'removed' returning pg_notify('landlord_machines', id::text)`,
);
const REMOVE_NODES = statement(
  'operator.remove_machine_nodes',
  'delete from machine_nodes where machine_id = $1 returning deployment_id',
);

/** Machines and their join tokens. */
export class MachineCommands {
  private readonly cells: CellsRepository;
  private readonly moves: MachineMovesRepository;

  constructor(private readonly session: OperatorSession) {
    this.cells = new CellsRepository(session.database);
    this.moves = new MachineMovesRepository(session.database);
  }

  async list(includesRemoved: boolean): Promise<ListedMachine[]> {
    const listed: ListedMachine[] = [];
    for (const machine of await this.rows(null, includesRemoved))
      listed.push({ ...machine, leaving: machine.status === 'draining' ? await this.leaving(machine) : [] });
    return listed;
  }

  /** The place that a token with this request is for. @throws OperatorRefused */
  async choosePlace(request: PlaceRequest): Promise<MachinePlace> {
    return choosePlace(request, await this.cells.list(), this.session.catalog);
  }

  /** Issues a token with which one host joins at the place. @throws OperatorRefused */
  async issueToken({ cell, region, zone }: MachinePlace, minutes: number): Promise<IssuedMachineToken> {
    if (!Number.isInteger(minutes) || minutes < 1 || minutes > LONGEST_TOKEN_MINUTES)
      throw new OperatorRefused('A token is valid for 1 minute to 24 hours.');
    const secret = randomBytes(32).toString('base64url');
    return this.session.database.transaction(async () => {
      const values = [cell, region, zone, hashAgentSecret(secret), minutes];
      const [row] = await this.session.database.query<IssuedToken>(INSERT_TOKEN, values);
      const issued = row as IssuedToken;
      const detail = { cell, region, zone, expires_at: issued.expires_at };
      await this.session.journal.record({ verb: 'machines token', subject: `machine token ${issued.id}`, detail });
      return { ...issued, token: `${issued.id}.${secret}` };
    });
  }

  /** Places no new nodes on the machine, and lets the Supervisor move its nodes. @throws OperatorRefused */
  async drain(id: MachineId): Promise<MachineWithNodes & { nodes: LeavingNode[] }> {
    const { machine } = await this.change(id, 'drain', () => this.storeDrain(id));
    return { machine, nodes: await this.leaving(machine) };
  }

  /** Allows new nodes on the machine again. @throws OperatorRefused */
  resume(id: MachineId): Promise<MachineWithNodes> {
    return this.change(id, 'resume', async () => (await this.session.database.execute(RESUME, [id])) === 1);
  }

  private async change(id: MachineId, verb: string, change: () => Promise<boolean>): Promise<MachineWithNodes> {
    return this.session.database.transaction(async () => {
      const isChanged = await change();
      const machine = await this.get(id);
      if (!isChanged) throw new OperatorRefused(`Machine ${id} is already ${machine.status}.`);
      const { hostname } = machine;
      await this.session.journal.record({ verb: `machines ${verb}`, subject: `machine ${id}`, detail: { hostname } });
      return { machine, nodes: await this.nodes(id) };
    });
  }

  /**
   * Refuses the machine from now on, and forgets its nodes. `lostHost` is the hostname of the machine, as consent to lose data that
   * exists only there. @throws OperatorRefused
   */
  async remove(id: MachineId, lostHost: string | null): Promise<MachineWithNodes> {
    const { database } = this.session;
    return database.transaction(async () => {
      // No node is placed on the machine until the end of the transaction.
      const isThere = (await database.query(LOCK, [id])).length > 0;
      const machine = await this.get(id);
      if (!isThere) throw new OperatorRefused(`Machine ${id} is already removed.`);
      const nodes = await this.nodes(id);
      requireConsent(machine, nodes, lostHost);
      await database.execute(REMOVE, [id]);
      const forgotten = await database.query<Pick<MachineNode, 'deployment_id'>>(REMOVE_NODES, [id]);
      const deployments = [...new Set(forgotten.map(({ deployment_id }) => deployment_id))];
      const lost = deploymentsOf(nodes.filter((node) => node.has_only_copy)).map((one) => one.id);
      const detail = { hostname: machine.hostname, deployments, deployments_without_another_copy: lost };
      await this.session.journal.record({ verb: 'machines remove', subject: `machine ${id}`, detail });
      return { machine: await this.get(id), nodes };
    });
  }

  private async leaving({ id, zone }: OperatorMachine): Promise<LeavingNode[]> {
    const nodes: LeavingNode[] = [];
    for (const node of await this.nodes(id)) nodes.push(await leavingNode(node, zone, this.moves));
    return nodes;
  }

  /** The machine, also a removed one. */
  private async get(id: MachineId): Promise<OperatorMachine> {
    const [machine] = await this.rows(id, true);
    return existing(machine, 'machine', id, 'landlord machines list');
  }

  private rows(id: MachineId | null, includesRemoved: boolean): Promise<OperatorMachine[]> {
    return this.session.database.query<OperatorMachine>(LIST, [id, includesRemoved]);
  }

  private nodes(id: MachineId): Promise<NodeOnMachine[]> {
    return this.session.database.query<NodeOnMachine>(NODES, [id]);
  }

  /** Returns false when the machine is unknown or not active. */
  private async storeDrain(id: MachineId): Promise<boolean> {
    if ((await this.session.database.execute(DRAIN, [id])) !== 1) return false;
    // A new drain tries every node at once.
    const failed = { machine_id: id, move_due_at: Not(IsNull()) };
    const changes = { failed_moves: 0, move_due_at: null, move_error: null };
    await this.session.database.repository(MachineNode).update(failed, changes);
    return true;
  }
}

function requireConsent({ id, hostname }: OperatorMachine, nodes: NodeOnMachine[], lostHost: string | null): void {
  if (lostHost !== null && lostHost !== hostname)
    throw new OperatorRefused(`The hostname of machine ${id} is ${hostname}, not ${lostHost}.`);
  const only = deploymentsOf(nodes.filter((node) => node.has_only_copy));
  if (only.length === 0 || lostHost !== null) return;
  const names = only.map((one) => `${one.id} (${one.name})`).join(', ');
  throw new OperatorRefused(
    `Machine ${id} (${hostname}) may have the only copy of the data of these deployments: ${names}. ` +
      `To lose this data, run: landlord machines remove ${id} --lose-data ${hostname}`,
  );
}

function deploymentsOf(nodes: readonly NodeOnMachine[]): { id: number; name: string }[] {
  return [...new Map(nodes.map(({ deployment_id, deployment }) => [deployment_id, deployment]))].map(([id, name]) => ({
    id,
    name,
  }));
}
