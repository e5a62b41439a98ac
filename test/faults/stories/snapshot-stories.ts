import { Unanswered, type PatientClient } from '../patient-client.js';
import type { Promised } from '../promised.js';

type Ended = (operation: number) => Promise<{ status: string }>;

/** Diagnostic snapshots under faults: each one completes or fails, and leaves only its archive. */
export class SnapshotStories {
  constructor(
    private readonly client: PatientClient,
    private readonly ended: Ended,
  ) {}

  /** Takes a snapshot; deletes the oldest one if the limit of the plan is reached. */
  async take({ id }: Promised): Promise<void> {
    const path = `/deployments/${id}/snapshots`;
    const answer = await this.client.post(path, {});
    if (answer.body?.code === 'plan_limit_reached') return this.deleteOldest(path);
    if (answer.status !== 204) throw new Unanswered(`snapshot: ${answer.status} ${JSON.stringify(answer.body)}`);
    const { status } = await this.ended(Number(answer.headers.get('ld-operation')));
    const snapshot = answer.headers.get('ld-snapshot');
    if (status !== 'succeeded') return;
    const link = await this.client.get(`${path}/${snapshot}/download`);
    if (link.status !== 200) throw new Unanswered(`download: ${link.status} ${JSON.stringify(link.body)}`);
  }

  private async deleteOldest(path: string): Promise<void> {
    const { body } = await this.client.get(`${path}?results=100`);
    const answer = await this.client.delete(`${path}/${body.items.at(-1)?.id}`);
    const operation = answer.headers.get('ld-operation');
    if (operation) await this.ended(Number(operation));
  }
}
