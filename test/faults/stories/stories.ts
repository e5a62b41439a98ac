import { NodeCommands } from '@libs/operator';
import { BROKER_OF_THE_RUN, eventually, FORMS_CLUSTERS, type SeededRandom } from '@libs/testing';
import { BackupStories } from './backup-stories.js';
import { ConnectorStories } from './connector-stories.js';
import { CopyStories } from './copy-stories.js';
import { CreationStories } from './creation-stories.js';
import type { FaultCloud } from '../fault-cloud.js';
import { PatientClient, Unanswered } from '../patient-client.js';
import { PrivateConnectionStories } from './private-connection-stories.js';
import { PRIVATE_CLOUDS, type PrivateCloud, type Promised } from '../promised.js';
import { RotationStories } from './rotation-stories.js';
import { SnapshotStories } from './snapshot-stories.js';

const PATIENCE_MS = 120_000;
/** Scenarios that also run alone on request; they run where they are possible. */
const OTHERS = ['backup', 'restore', 'schedule', 'copy', 'activate', 'snapshot', 'connect'].filter(
  (name) => FORMS_CLUSTERS || !['copy', 'connect'].includes(name),
);
/** A setting that each driver has. */
const setting = (value: number): object =>
  BROKER_OF_THE_RUN === 'iggy'
    ? { personal_access_token: { max_tokens_per_user: value } }
    : { mqtt: { max_connections: value } };
/** Maximum number of clusters at a time. Each has three nodes, so a small machine can run them. */
const MOST_CLUSTERS = 2;

/** A chosen scenario. */
interface Chosen {
  name: string;
  play: () => Promise<void>;
}

/** The actions of clients, and the promises of the cloud that the invariants check. */
export class Stories {
  readonly promised: Promised[] = [];
  private readonly client: PatientClient;
  private readonly runtime: PatientClient;
  private readonly backups: BackupStories;
  private readonly connectors: ConnectorStories;
  private readonly snapshots: SnapshotStories;
  private readonly privateConnections: PrivateConnectionStories;
  private readonly creations: CreationStories;
  private readonly rotations: RotationStories;
  private readonly copies: CopyStories;

  constructor(
    private readonly hurt: FaultCloud,
    private readonly random: SeededRandom,
    /** The only scenario to run where it is possible; by default all scenarios. */
    private readonly only: string | undefined = undefined,
  ) {
    this.client = new PatientClient(hurt.cloud.main());
    this.runtime = new PatientClient(hurt.cloud.runtime());
    const ended = (operation: number) => this.comesToAnEnd(operation);
    this.backups = new BackupStories(hurt.cloud, this.runtime, ended);
    this.snapshots = new SnapshotStories(this.runtime, ended);
    this.privateConnections = new PrivateConnectionStories(hurt.cloud, this.runtime, ended);
    this.creations = new CreationStories(hurt.cloud, this.client, this.promised, ended);
    this.connectors = new ConnectorStories(hurt.cloud, this.client, this.runtime, ended, hurt.receiver);
    this.rotations = new RotationStories(hurt.cloud, this.runtime, ended, random);
    this.copies = new CopyStories(hurt.cloud, this.runtime, this.creations, (copy) => this.delete(copy));
  }

  get living(): Promised[] {
    return this.promised.filter(({ isDeleted }) => !isDeleted);
  }

  /** Chooses a scenario that is possible now: its name and a function that runs it to its end. */
  choose(): Chosen {
    const free = this.living.filter(({ isCluster }) => !isCluster);
    const clusters = this.living.filter(({ isCluster }) => isCluster);
    const one = this.random.next();
    if (this.only === 'life') return this.life(free, clusters);
    // Private connections do not need a Free deployment.
    if (this.only === 'connect') return this.connection();
    if (free.length === 0) return { name: 'create', play: async () => void (await this.creations.create('free')) };
    if (this.only === 'rotate') return this.rotation(this.living);
    if (this.only !== undefined || one > 0.86) return this.another(this.only ?? this.random.pick(OTHERS));
    // Without clusters, their share of the choices goes to the others in equal parts.
    return this.ofClusters(one, clusters) ?? this.ofAny(FORMS_CLUSTERS ? one : 0.6 + one * 0.3, free);
  }

  /** Creations and deletions in turn: each needs many cloud resources. */
  private life(free: readonly Promised[], clusters: readonly Promised[]): Chosen {
    if (clusters.length > 0 && free.length > 0)
      return this.random.next() < 0.5 ? this.deletion('delete cluster', clusters) : this.deletion('delete', free);
    const kind = clusters.length > 0 || !FORMS_CLUSTERS ? 'free' : 'cluster';
    const name = kind === 'free' ? 'create' : 'create cluster';
    return { name, play: async () => void (await this.creations.create(kind)) };
  }

  private ofClusters(one: number, clusters: readonly Promised[]): Chosen | null {
    const create = async (): Promise<void> => void (await this.creations.create('cluster'));
    if (!FORMS_CLUSTERS) return null;
    if (clusters.length === 0) return one < 0.3 ? { name: 'create cluster', play: create } : null;
    if (one < 0.2) return this.deletion('delete cluster', clusters);
    return one < 0.6 ? this.growth(clusters) : null;
  }

  private ofAny(one: number, free: readonly Promised[]): Chosen {
    if (one < 0.65) return { name: 'drain', play: () => this.drain() };
    if (one < 0.73) return { name: 'restart', play: () => this.restart() };
    if (one < 0.79) return { name: 'reconfigure', play: () => this.reconfigure() };
    return one < 0.82 ? this.rotation(this.living) : this.deletion('delete', free);
  }

  /** A scenario by name; a restore needs a backup. */
  private another(name: string): Chosen {
    if (name === 'connect') return this.connection();
    const one = this.random.pick(this.living);
    if (name === 'activate') return { name, play: () => this.connectors.activate(one) };
    if (name === 'snapshot') return { name, play: () => this.snapshots.take(one) };
    const restorable = this.living.filter(({ backups }) => backups.length > 0);
    if (name === 'schedule') return { name, play: () => this.backups.schedule(one) };
    if (name === 'backup' || restorable.length === 0) return { name: 'backup', play: () => this.backups.take(one) };
    const chosen = this.random.pick(restorable);
    const backup = this.random.pick(chosen.backups);
    if (name === 'copy') return { name, play: () => this.copies.copy(chosen, backup) };
    return { name, play: () => this.backups.restore(chosen, backup) };
  }

  private connection(): Chosen {
    const cloud = this.random.pick(PRIVATE_CLOUDS);
    return { name: 'connect', play: async () => this.privateConnections.connect(await this.privateOne(cloud)) };
  }

  /** The deployment in this cloud; at the maximum of clusters the one in another cloud; else a new one. */
  private async privateOne(cloud: PrivateCloud): Promise<Promised> {
    const able = this.living.filter(({ privateCloud }) => privateCloud !== null);
    const own = able.find(({ privateCloud }) => privateCloud === cloud);
    const isFull = this.living.filter(({ isCluster }) => isCluster).length >= MOST_CLUSTERS;
    return own ?? (isFull ? able[0] : undefined) ?? this.creations.create(cloud);
  }

  private deletion(name: string, of: readonly Promised[]) {
    const chosen = this.random.pick(of);
    return { name, play: () => this.delete(chosen) };
  }

  private growth(of: readonly Promised[]) {
    const chosen = this.random.pick(of);
    return { name: 'upgrade', play: () => this.upgrade(chosen) };
  }

  private rotation(of: readonly Promised[]) {
    const chosen = this.random.pick(of);
    return { name: 'rotate', play: () => this.rotations.rotate(chosen) };
  }

  /** Adds 10 GB to every node, one after the other, also under faults. */
  private async upgrade(promised: Promised): Promise<void> {
    const path = `${this.hurt.cloud.environment}/deployments/${promised.id}/upgrade`;
    const wanted = { storage: { size: promised.storage + 10 } };
    const answer = await eventually(
      'the cooldown is over',
      async () => {
        const asked = await this.client.post(path, wanted);
        return asked.body?.code === 'upgrade_cooldown' ? null : asked;
      },
      PATIENCE_MS,
    );
    if (answer.status !== 202) throw new Unanswered(`upgrade: ${answer.status} ${JSON.stringify(answer.body)}`);
    const { status, reason } = await this.comesToAnEnd(answer.body.operation_id);
    // The disk may be too full for a backup. In that case the upgrade changed no node.
    if (status === 'failed' && reason?.includes('backup')) return;
    if (status !== 'succeeded') throw new Unanswered(`upgrade ${status}: ${reason}`);
    promised.storage += 10;
    promised.upgrades += 1;
  }

  private async delete(promised: Promised): Promise<void> {
    const answer = await this.client.delete(`${this.hurt.cloud.environment}/deployments/${promised.id}`);
    // The first answer may have been lost; then the second one reports a deletion in progress or completed.
    const isAccepted = answer.status === 202 || answer.status === 404 || answer.body?.code === 'state_conflict';
    if (!isAccepted) throw new Unanswered(`deletion: ${answer.status} ${JSON.stringify(answer.body)}`);
    promised.isDeleted = true;
    if (answer.body?.operation_id) await this.ends(answer.body.operation_id);
  }

  /** The user restarts every broker of a deployment. */
  private async restart(): Promise<void> {
    const { id } = this.random.pick(this.living);
    const answer = await this.runtime.post(`/deployments/${id}/activities/broker/restart`, {});
    if (answer.status !== 202) throw new Unanswered(`restart: ${answer.status} ${JSON.stringify(answer.body)}`);
    await this.comesToAnEnd(answer.body.operation_id);
  }

  /** Creates and activates a version of the configuration, and applies it on every node. */
  private async reconfigure(): Promise<void> {
    const { id } = this.random.pick(this.living);
    const values = setting(Math.round(this.random.between(100, 900)));
    const made = await this.runtime.post(`/deployments/${id}/configs/broker`, { values, activate: true });
    if (made.status !== 201) throw new Unanswered(`configuration: ${made.status} ${JSON.stringify(made.body)}`);
    const answer = await this.runtime.post(`/deployments/${id}/tasks`, { type: 'broker:reconfigure' });
    if (answer.status !== 202) throw new Unanswered(`reconfigure: ${answer.status} ${JSON.stringify(answer.body)}`);
    await this.comesToAnEnd(Number(answer.headers.get('ld-operation')));
  }

  /** The operator stops the broker of one node and resumes it. */
  private async drain(): Promise<void> {
    const { cloud } = this.hurt;
    const node = async () =>
      (
        await cloud.rows<{ id: string; status: string }>(
          `select n.id, n.status from nodes n where n.deployment_id = $1 order by n.ordinal limit 1`,
          [this.random.pick(this.living).id],
        )
      )[0];
    const chosen = await node();
    if (!chosen) return;
    await this.asOperator((commands) => commands.drain(Number(chosen.id)));
    await this.asOperator((commands) => commands.resume(Number(chosen.id)));
  }

  /**
   * PostgreSQL may be unavailable, or an answer may be lost. After a lost answer, the retry reports that the work is
   * done.
   */
  private async asOperator(work: (commands: NodeCommands) => Promise<unknown>): Promise<void> {
    const { cloud } = this.hurt;
    await eventually(
      'the operator gets through',
      async () => {
        try {
          await cloud.asOperator((session) => work(new NodeCommands(session)));
          return true;
        } catch (error) {
          return /is already drained|is not drained/.test(String(error));
        }
      },
      PATIENCE_MS,
    );
  }

  private async ends(operation: number): Promise<void> {
    const { status, reason } = await this.comesToAnEnd(operation);
    if (status === 'failed') throw new Unanswered(`operation ${operation} failed: ${reason}`);
  }

  /**
   * Waits for the end of the operation, with success or failure: with a full disk a broker does not start, and the
   * operation fails.
   */
  private async comesToAnEnd(operation: number): Promise<{ status: string; reason: string | null }> {
    return eventually(
      `operation ${operation} ends`,
      async () => {
        const { body } = await this.client.get(`${this.hurt.cloud.tenant}/operations/${operation}?wait=5`);
        return ['succeeded', 'failed', 'cancelled'].includes(body.status) ? body : null;
      },
      PATIENCE_MS,
    );
  }
}
