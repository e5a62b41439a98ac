import { eventually, type TestCloud } from '@libs/testing';
import { leaveMessage, readMessage } from '../kept-message.js';
import { Unanswered, type PatientClient } from '../patient-client.js';
import type { KeptBackup, Promised } from '../promised.js';

const LATER = 'faults/later';
const PATIENCE_MS = 120_000;
/** Longer than the period of the schedules. */
const DUE_MS = 6_000;

type Ended = (operation: number) => Promise<{ status: string }>;

/** Backups under faults: a completed backup can be restored, and a restore removes exactly what was written since. */
export class BackupStories {
  private named = 0;

  constructor(
    private readonly cloud: TestCloud,
    private readonly client: PatientClient,
    private readonly ended: Ended,
  ) {}

  /** Takes a backup after a new message; deletes the oldest one if the limit of the plan is reached. */
  async take(promised: Promised): Promise<void> {
    await this.leave(promised);
    const { later } = promised;
    const numbers = [...promised.numbers];
    const path = `/deployments/${promised.id}/backups`;
    const answer = await this.client.post(path, { name: 'story' });
    if (answer.body?.code === 'plan_limit_reached') return this.deleteOldest(promised);
    const id = Number(answer.headers.get('ld-backup'));
    if (answer.status !== 204) throw new Unanswered(`backup: ${answer.status} ${JSON.stringify(answer.body)}`);
    const { status } = await this.ended(Number(answer.headers.get('ld-operation')));
    if (status === 'succeeded') promised.backups.push({ id, later, numbers });
  }

  /** The schedule takes a backup, also when faults end its first attempts. The test deletes a backup if the plan is full. */
  async schedule(promised: Promised): Promise<void> {
    const path = `/deployments/${promised.id}/backups/schedule`;
    const answer = await this.client.put(path, { every_hours: 24, keep: 1 });
    if (answer.status !== 200) throw new Unanswered(`schedule: ${answer.status} ${JSON.stringify(answer.body)}`);
    const taken = async (): Promise<number> =>
      (
        await this.cloud.rows<{ id: number }>(
          `select coalesce(max(id), 0)::int as id from backups where deployment_id = $1 and by_schedule and status = 'completed'`,
          [promised.id],
        )
      )[0]?.id ?? 0;
    const before = await taken();
    await eventually(
      `the schedule of ${promised.name} has taken a backup`,
      async () => {
        if ((await taken()) > before) return true;
        // Due again: the schedule itself tries again only after minutes.
        const [row] = await this.cloud.rows<{ last_error: string | null }>(
          `update backup_schedules set next_at = now() where deployment_id = $1 and not exists (
             select 1 from backups where deployment_id = $1 and status in ('pending', 'in_progress')) returning last_error`,
          [promised.id],
        );
        if (row?.last_error?.includes('The plan allows')) await this.deleteOldest(promised);
        await new Promise((resolve) => setTimeout(resolve, DUE_MS));
        return false;
      },
      PATIENCE_MS,
    );
    // A schedule that is due must not start work while the checks run.
    await this.client.delete(path);
  }

  /** Whether the restore succeeds or not, the deployment has either the old or the new data, and nothing in between. */
  async restore(promised: Promised, backup: KeptBackup): Promise<void> {
    await this.leave(promised);
    const answer = await this.client.post(`/deployments/${promised.id}/backups/${backup.id}/restore`, {});
    if (answer.status !== 204) throw new Unanswered(`restore: ${answer.status} ${JSON.stringify(answer.body)}`);
    const { status } = await this.ended(Number(answer.headers.get('ld-operation')));
    if (status !== 'succeeded') return;
    promised.later = backup.later;
    promised.numbers = [...backup.numbers];
  }

  private async deleteOldest(promised: Promised): Promise<void> {
    const { body } = await this.client.get(`/deployments/${promised.id}/backups`);
    const oldest = body.at(-1)?.id as number;
    const answer = await this.client.delete(`/deployments/${promised.id}/backups/${oldest}`);
    const operation = answer.headers.get('ld-operation');
    if (operation) await this.ended(Number(operation));
    promised.backups = promised.backups.filter(({ id }) => id !== oldest);
  }

  private async leave(promised: Promised): Promise<void> {
    if (!promised.hasMessage) return;
    const text = `later-${(this.named += 1)}`;
    if (await leaveMessage(this.cloud, promised.id, text, LATER)) promised.later = text;
  }
}

/** Each deployment has the message that the last successful operation implies. */
export async function restoresExact(cloud: TestCloud, promised: readonly Promised[]): Promise<string[]> {
  const broken: string[] = [];
  for (const { id, name, isDeleted, later } of promised) {
    if (isDeleted || later === null) continue;
    const message = await readMessage(cloud, id, LATER).catch((error: unknown) => String(error));
    if (message !== later) broken.push(`${name} holds ${message}, not ${later}`);
  }
  return broken;
}
