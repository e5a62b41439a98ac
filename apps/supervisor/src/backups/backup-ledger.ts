import { Injectable } from '@nestjs/common';
import { Ledger } from '@libs/ledger';
import type { BackupSchedule, DeploymentFacts } from '@libs/persistence/runtime';
import { contextOf } from '../platform/index.js';

/** Tells the channels that a schedule took no backup. */
@Injectable()
export class BackupLedger {
  constructor(private readonly ledger: Ledger) {}

  /** Once per run. */
  async scheduleFailed(facts: DeploymentFacts, schedule: BackupSchedule, reason: string, traceId: string) {
    const event = {
      type: 'backup_failed',
      key: `backup_failed:schedule:${facts.id}:${schedule.next_at.getTime()}`,
      subject: `A backup of ${facts.name} was not taken`,
      data: { name: facts.name, code: facts.code, backup_id: null, backup_type: 'scheduled', reason },
    } as const;
    await this.ledger.announce(event, contextOf(facts), traceId);
  }
}
