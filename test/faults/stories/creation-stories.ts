import type { TestCloud } from '@libs/testing';
import { leaveMessage } from '../kept-message.js';
import { Unanswered, type PatientClient } from '../patient-client.js';
import { freshPromise, type PrivateCloud, type Promised } from '../promised.js';

const AWS = { cloud: 'aws', region: 'us-east-1' };
const GCP = { cloud: 'gcp', region: 'us-central1' };
const THREE_NODES = { tier: 'small', cluster: 'cluster' };
const PAID: Record<'cluster' | PrivateCloud, object> = {
  cluster: { ...AWS, ...THREE_NODES, managed_tier: 'standard' },
  aws: { ...AWS, ...THREE_NODES, managed_tier: 'enterprise' },
  gcp: { ...GCP, ...THREE_NODES, managed_tier: 'enterprise' },
};

/** One Free node, a cluster, or a cluster in a cloud with a managed tier that includes all private connections. */
export type Created = 'free' | keyof typeof PAID;

type Ended = (operation: number) => Promise<{ status: string; reason: string | null }>;

/** Creations under faults: an accepted deployment is created exactly once. */
export class CreationStories {
  private named = 0;

  constructor(
    private readonly cloud: TestCloud,
    private readonly client: PatientClient,
    /** Receives the deployment as soon as it is accepted. */
    private readonly promised: Promised[],
    private readonly ended: Ended,
  ) {}

  async create(kind: Created): Promise<Promised> {
    const name = `story-${(this.named += 1)}`;
    const answer = await this.order(kind, name);
    if (answer.status !== 202) throw new Unanswered(`creation: ${answer.status} ${JSON.stringify(answer.body)}`);
    const privateCloud = kind === 'aws' || kind === 'gcp' ? kind : null;
    const id = Number(answer.body.deployment_id);
    const promised = freshPromise({ id, name, isCluster: kind !== 'free', privateCloud });
    this.promised.push(promised);
    const { status, reason } = await this.ended(answer.body.operation_id);
    if (status === 'failed') throw new Unanswered(`creation of ${name} failed: ${reason}`);
    // A paid deployment admits no client before an access rule exists.
    if (kind === 'free') promised.hasMessage = await leaveMessage(this.cloud, id, name);
    return promised;
  }

  /** A cluster with the data of a backup. It may fail. */
  async copy(restore_from: object, size: number) {
    const name = `story-${(this.named += 1)}`;
    const answer = await this.client.post(`${this.cloud.environment}/deployments/managed`, {
      ...PAID.cluster,
      ...{ name, restore_from, storage: { size } },
    });
    if (answer.status !== 202) throw new Unanswered(`copy: ${answer.status} ${JSON.stringify(answer.body)}`);
    const promised = freshPromise({ id: Number(answer.body.deployment_id), name, isCluster: true });
    promised.storage = size;
    this.promised.push(promised);
    const { status, reason } = await this.ended(answer.body.operation_id);
    promised.isInitialized = status === 'succeeded';
    return { promised, status, reason };
  }

  private order(kind: Created, name: string) {
    if (kind === 'free')
      return this.client.post(`${this.cloud.division}/deployments/starter`, { ...AWS, deployment_name: name });
    return this.client.post(`${this.cloud.environment}/deployments/managed`, { ...PAID[kind], name });
  }
}
