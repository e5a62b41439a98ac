import { eventually, type TestCloud } from '@libs/testing';
import type { CreationStories } from './creation-stories.js';
import { readMessage } from '../kept-message.js';
import { Unanswered, type PatientClient } from '../patient-client.js';
import type { KeptBackup, Promised } from '../promised.js';

/** A full disk is the only fault that may end a creation from a backup. */
const NO_SPACE = /ENOSPC|no space/i;
const LATER = 'faults/later';
const PATIENCE_MS = 60_000;

/** New deployments from backups, under faults: they have exactly the data of the backup, or they are not there. */
export class CopyStories {
  constructor(
    private readonly cloud: TestCloud,
    private readonly runtime: PatientClient,
    private readonly creations: CreationStories,
    private readonly remove: (promised: Promised) => Promise<void>,
  ) {}

  /** Creates the copy, compares its message with that of the backup, and deletes it again. */
  async copy(source: Promised, backup: KeptBackup): Promise<void> {
    const from = { deployment_id: source.id, backup_id: backup.id };
    const { promised, status, reason } = await this.creations.copy(from, source.storage);
    if (status === 'succeeded') await this.compare(promised, backup.later ?? 'nothing');
    else if (!NO_SPACE.test(reason ?? '')) throw new Unanswered(`copy of ${source.name} ${status}: ${reason}`);
    await this.remove(promised);
  }

  private async compare({ id, name }: Promised, wanted: string): Promise<void> {
    const rule = { name: 'here', cidr_blocks: ['127.0.0.0/8'], rules: { broker_tcp: true } };
    const answer = await this.runtime.post(`/deployments/${id}/access_rules`, rule);
    if (answer.status !== 201) throw new Unanswered(`rule: ${answer.status} ${JSON.stringify(answer.body)}`);
    let got = '';
    await eventually(
      `${name} has the message of the backup`,
      async () => (got = await readMessage(this.cloud, id, LATER)) === wanted,
      PATIENCE_MS,
    ).catch(() => {
      throw new Unanswered(`${name} holds ${got}, not ${wanted}`);
    });
  }
}
