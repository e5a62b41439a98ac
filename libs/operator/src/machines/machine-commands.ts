import { randomBytes } from 'node:crypto';
import type { MachineId } from '@libs/domain';
import {
  MachineCommandsRepository,
  type IssuedToken,
  type NodeOnMachine,
  type OperatorMachine,
} from '@libs/persistence/operator';
import { CellsRepository } from '@libs/persistence/organization';
import { hashAgentSecret, MachineMovesRepository } from '@libs/persistence/runtime';
import { leavingNode, type LeavingNode } from './leaving-node.js';
import { choosePlace, type MachinePlace, type PlaceRequest } from './machine-places.js';
import { OperatorRefused } from '../operator-refused.js';
import type { OperatorSession } from '../operator-session.js';

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

/** Machines and their join tokens. */
export class MachineCommands {
  private readonly rows: MachineCommandsRepository;
  private readonly cells: CellsRepository;
  private readonly moves: MachineMovesRepository;

  constructor(private readonly session: OperatorSession) {
    this.rows = new MachineCommandsRepository(session.database);
    this.cells = new CellsRepository(session.database);
    this.moves = new MachineMovesRepository(session.database);
  }

  async list(includesRemoved: boolean): Promise<ListedMachine[]> {
    const listed: ListedMachine[] = [];
    for (const machine of await this.rows.list(includesRemoved))
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
      const issued = await this.rows.insertToken({ cell, region, zone, secret_hash: hashAgentSecret(secret), minutes });
      const detail = { cell, region, zone, expires_at: issued.expires_at };
      await this.session.journal.record({ verb: 'machines token', subject: `machine token ${issued.id}`, detail });
      return { ...issued, token: `${issued.id}.${secret}` };
    });
  }

  /** Places no new nodes on the machine, and lets the Supervisor move its nodes. @throws OperatorRefused */
  async drain(id: MachineId): Promise<MachineWithNodes & { nodes: LeavingNode[] }> {
    const { machine } = await this.change(id, 'drain', () => this.rows.drain(id));
    return { machine, nodes: await this.leaving(machine) };
  }

  /** Allows new nodes on the machine again. @throws OperatorRefused */
  resume(id: MachineId): Promise<MachineWithNodes> {
    return this.change(id, 'resume', () => this.rows.resume(id));
  }

  private async change(id: MachineId, verb: string, change: () => Promise<boolean>): Promise<MachineWithNodes> {
    return this.session.database.transaction(async () => {
      const isChanged = await change();
      const machine = await this.get(id);
      if (!isChanged) throw new OperatorRefused(`Machine ${id} is already ${machine.status}.`);
      const { hostname } = machine;
      await this.session.journal.record({ verb: `machines ${verb}`, subject: `machine ${id}`, detail: { hostname } });
      return { machine, nodes: await this.rows.nodes(id) };
    });
  }

  /**
   * Refuses the machine from now on, and forgets its nodes. `lostHost` is the hostname of the machine, as consent to lose data that
   * exists only there. @throws OperatorRefused
   */
  async remove(id: MachineId, lostHost: string | null): Promise<MachineWithNodes> {
    return this.session.database.transaction(async () => {
      const isThere = await this.rows.lock(id);
      const machine = await this.get(id);
      if (!isThere) throw new OperatorRefused(`Machine ${id} is already removed.`);
      const nodes = await this.rows.nodes(id);
      requireConsent(machine, nodes, lostHost);
      const deployments = await this.rows.remove(id);
      const lost = deploymentsOf(nodes.filter((node) => node.has_only_copy)).map((one) => one.id);
      const detail = { hostname: machine.hostname, deployments, deployments_without_another_copy: lost };
      await this.session.journal.record({ verb: 'machines remove', subject: `machine ${id}`, detail });
      return { machine: await this.get(id), nodes };
    });
  }

  private async leaving({ id, zone }: OperatorMachine): Promise<LeavingNode[]> {
    const nodes: LeavingNode[] = [];
    for (const node of await this.rows.nodes(id)) nodes.push(await leavingNode(node, zone, this.moves));
    return nodes;
  }

  private async get(id: MachineId): Promise<OperatorMachine> {
    const machine = await this.rows.find(id);
    if (!machine) throw new OperatorRefused(`There is no machine ${id}. List all machines: landlord machines list`);
    return machine;
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
