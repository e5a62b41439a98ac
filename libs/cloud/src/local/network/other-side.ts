import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { GCP_FORMATS, type DeploymentId } from '@libs/domain';
import type { ServiceConsumer } from '../../resource-attributes.js';
import { conditionOf, hasVanished, isBegun, networkPeeringState, vpcPeeringStatus } from '../local-states.js';
import { OtherSideRefused } from './other-side-refused.js';
import { LOCAL_CLOUD, ResourceRecords, type PeerAnswer, type ResourceRecord } from '../records/resource-records.js';
import {
  accountOf,
  connectionIds,
  firstStatus,
  mayAsk,
  seenConsumers,
  type ServiceKind,
  type ServiceRecord,
} from './service-consumers.js';

export const LOCAL_CONNECTION_KINDS = [
  'vpc_peering',
  'network_peering',
  'endpoint_service',
  'service_attachment',
] as const;
export type LocalConnectionKind = (typeof LOCAL_CONNECTION_KINDS)[number];
export type ConnectionMove = 'accept' | 'reject' | 'close';

/** A peering or service that the other side can act on. */
export interface LocalConnection {
  name: string;
  kind: LocalConnectionKind;
  installation: string;
  deployment_id: DeploymentId;
  /** The status of a peering, otherwise the state of the resource. */
  state: string;
  /** Empty for peerings. */
  consumers: ServiceConsumer[];
}

/** Selects one of them. The kind is necessary only when two have the same name. */
export interface LocalConnectionSelector {
  name: string;
  kind?: LocalConnectionKind;
}

/** The consumer that connects. `network` and `endpoint` in the provider's format. A missing endpoint is generated. */
export interface Caller {
  owner: string;
  network?: string;
  endpoint?: string;
}

/**
 * Performs actions of the other side of a connection on the records of the local cloud. Safe while Supervisors are running;
 * they see the change at their next read. Only states change, and no packet travels. An action on a missing resource, or an
 * impossible action, throws OtherSideRefused and changes nothing.
 */
export class LocalOtherSide {
  private readonly root: string;
  private readonly records: ResourceRecords;

  /** @param dataDir Absolute path of the data directory */
  constructor(dataDir: string) {
    this.root = join(dataDir, LOCAL_CLOUD);
    this.records = new ResourceRecords(this.root);
  }

  /** All resources that the other side can act on, by deployment and name. */
  async list(): Promise<LocalConnection[]> {
    const connections = (await this.standing()).map(toLocalConnection);
    return connections.sort((a, b) => a.deployment_id - b.deployment_id || a.name.localeCompare(b.name));
  }

  /** Accepts a waiting peering of AWS. For Google Cloud: creates the half of the other side. */
  accept(selector: LocalConnectionSelector): Promise<LocalConnection> {
    return this.answer(selector, 'accepted');
  }

  /** Rejects a waiting peering of AWS. For Google Cloud: removes the half of the other side. */
  reject(selector: LocalConnectionSelector): Promise<LocalConnection> {
    return this.answer(selector, 'rejected');
  }

  /** Ends the seven days of a waiting peering of AWS. */
  expire(selector: LocalConnectionSelector): Promise<LocalConnection> {
    return this.answer(selector, 'expired');
  }

  /** Creates a connection to a service. The service accepts it or lets it wait. */
  async connect(selector: LocalConnectionSelector, caller: Caller): Promise<ServiceConsumer> {
    const { kind, name } = await this.find(selector);
    const consumers: ServiceConsumer[] = [];
    await this.change(kind, name, (current) => {
      const service = serviceOf(current);
      const consumer = consumerOf(service, caller);
      consumers.push(consumer);
      return { ...service, consumers: [...(service.consumers ?? []), consumer] };
    });
    return consumers[0] as ServiceConsumer;
  }

  /** Changes a connection: a waiting one can be accepted or rejected, and every open one can be closed. */
  async moveConnection(
    selector: LocalConnectionSelector,
    connectionId: string,
    move: ConnectionMove,
  ): Promise<ServiceConsumer> {
    const { kind, name } = await this.find(selector);
    const changed = await this.change(kind, name, (current) => {
      const service = serviceOf(current);
      const moved = (service.consumers ?? []).map((one) =>
        one.connection_id === connectionId ? movedBy(one, move) : one,
      );
      if (moved.some(({ connection_id }) => connection_id === connectionId)) return { ...service, consumers: moved };
      throw new OtherSideRefused(`${name} has no connection ${connectionId}.`);
    });
    return (changed.consumers ?? []).find(({ connection_id }) => connection_id === connectionId) as ServiceConsumer;
  }

  private async answer(selector: LocalConnectionSelector, what: PeerAnswer): Promise<LocalConnection> {
    const { kind, name } = await this.find(selector);
    const answered = await this.change(kind, name, (current) => {
      refuseAnswer(current, what);
      return { ...current, answer: { what, at: Date.now() } };
    });
    return toLocalConnection(answered);
  }

  /**
   * A resource can change or vanish between the search and the lock: a peering expires, or a Supervisor destroys it. So `act`
   * checks the locked record again and refuses.
   */
  private async change<K extends LocalConnectionKind>(
    kind: K,
    name: string,
    act: (current: ResourceRecord<K>) => ResourceRecord<K>,
  ): Promise<ResourceRecord<K>> {
    const changed = await this.records.change(kind, name, (current) => {
      if (current === null || current.deleting_at !== null) throw new OtherSideRefused(`${name} is being deleted.`);
      return act(current);
    });
    return changed as ResourceRecord<K>;
  }

  private async find({ name, kind }: LocalConnectionSelector): Promise<LocalConnectionRecord> {
    const records = (await this.standing()).filter((one) => one.name === name && (kind ?? one.kind) === one.kind);
    const [record, other] = records;
    if (record === undefined)
      throw new OtherSideRefused(`There is no ${kind ?? 'peering, service or attachment'} ${name} in the local cloud.`);
    if (other === undefined) return this.owned(record);
    throw new OtherSideRefused(`${name} is a ${record.kind} and a ${other.kind}. Select one with --kind.`);
  }

  /** Refuses to run as another user. A Supervisor of another user could not read or replace files that root wrote. */
  private async owned(record: LocalConnectionRecord): Promise<LocalConnectionRecord> {
    const { uid } = await stat(this.root);
    if (uid === (process.getuid?.() ?? uid)) return record;
    throw new OtherSideRefused(`${this.root} belongs to user ${uid}. Run this command as this user.`);
  }

  private async standing(): Promise<LocalConnectionRecord[]> {
    return (await this.records.list()).filter(isLocalConnection).filter((record) => !hasVanished(record, Date.now()));
  }
}

type LocalConnectionRecord = ResourceRecord<LocalConnectionKind>;

const isLocalConnection = (record: ResourceRecord): record is LocalConnectionRecord =>
  (LOCAL_CONNECTION_KINDS as readonly string[]).includes(record.kind);
const isService = (record: ResourceRecord): record is ServiceRecord & { kind: ServiceKind } =>
  record.kind === 'endpoint_service' || record.kind === 'service_attachment';

function toLocalConnection(record: LocalConnectionRecord): LocalConnection {
  const { name, kind, tags } = record;
  const { installation, deployment_id } = tags;
  const consumers = isService(record) ? seenConsumers(record) : [];
  return { name, kind, installation, deployment_id, state: stateOf(record), consumers };
}

function stateOf(record: LocalConnectionRecord): string {
  const now = Date.now();
  if (record.kind === 'vpc_peering') return vpcPeeringStatus(record as ResourceRecord<'vpc_peering'>, now);
  const { state } = conditionOf(record, now);
  if (record.kind !== 'network_peering' || state !== 'active') return state;
  return networkPeeringState(record as ResourceRecord<'network_peering'>).status;
}

function refuseAnswer(current: LocalConnectionRecord, what: PeerAnswer): void {
  const { name, kind } = current;
  if (isService(current))
    throw new OtherSideRefused(`${name} is not a peering but a ${kind}. Select a connection with --connection.`);
  const state = stateOf(current);
  if (kind === 'vpc_peering') {
    if (state !== 'pending_acceptance')
      throw new OtherSideRefused(`${name} is ${state}. Only a peering that is pending_acceptance can be ${what}.`);
    return;
  }
  if (what === 'expired') throw new OtherSideRefused(`${name} is a peering of Google Cloud and does not expire.`);
  const needed = what === 'accepted' ? 'inactive' : 'active';
  if (state !== needed) throw new OtherSideRefused(`${name} is ${state}. Only an ${needed} peering can be ${what}.`);
}

function serviceOf<K extends LocalConnectionKind>(current: ResourceRecord<K>): ResourceRecord<K> & ServiceRecord {
  if (isService(current)) return current;
  throw new OtherSideRefused(`${current.name} is a ${current.kind}. A ${current.kind} has no connections.`);
}

function consumerOf(service: ServiceRecord, caller: Caller): ServiceConsumer {
  const { name, kind } = service;
  if (!isBegun(service, Date.now())) throw new OtherSideRefused(`${name} is pending. Connect when it is active.`);
  const owner = ownerOf(kind, caller.owner);
  if (!mayAsk(service, caller.owner))
    throw new OtherSideRefused(`${name} refuses ${caller.owner}. This owner is not an allowed principal.`);
  const { connection_id, endpoint } = connectionIds(kind, `${name} ${randomUUID()}`);
  const endpointId = caller.endpoint ?? endpoint;
  const same = (service.consumers ?? []).find(
    (one) => one.owner === owner && one.endpoint === endpointId && one.status !== 'closed',
  );
  if (same) throw new OtherSideRefused(`${endpointId} of ${owner} is already connected (${same.connection_id}).`);
  const status = firstStatus(service, owner);
  return { connection_id, owner, network: caller.network ?? null, endpoint: endpointId, status };
}

/** AWS identifies a consumer by its account. Also accepts the ARN of a principal. */
function ownerOf(kind: ServiceKind, owner: string): string {
  if (kind === 'service_attachment') {
    const { pattern, reason } = GCP_FORMATS.project_id;
    if (!pattern.test(owner)) throw new OtherSideRefused(`The owner of a connection to an attachment ${reason}.`);
    return owner;
  }
  const account = accountOf(owner) ?? owner;
  if (/^\d{12}$/.test(account)) return account;
  throw new OtherSideRefused(
    'The owner of a connection to an endpoint service must be an account of 12 digits or an ARN.',
  );
}

function movedBy(consumer: ServiceConsumer, move: ConnectionMove): ServiceConsumer {
  const { connection_id, status } = consumer;
  const waits = status === 'pending' || status === 'needs_attention';
  const refusal = `Connection ${connection_id} is ${status}`;
  if (move === 'close') {
    if (status === 'closed') throw new OtherSideRefused(`Connection ${connection_id} is already closed.`);
    return { ...consumer, status: 'closed' };
  }
  if (!waits) throw new OtherSideRefused(`${refusal}. Only a waiting connection can be ${move}ed.`);
  return { ...consumer, status: move === 'accept' ? 'accepted' : 'rejected' };
}
