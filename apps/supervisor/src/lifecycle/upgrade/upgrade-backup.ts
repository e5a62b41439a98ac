import { Injectable } from '@nestjs/common';
import { DomainError } from '@libs/domain';
import { Database } from '@libs/persistence';
import { BackupsRepository } from '@libs/persistence/runtime';
import { StepImpossible, type OperationRow } from '@libs/workflow';
import { BackupRequests } from '../../backups/index.js';
import { deploymentOf } from '../subject.js';

/** Errors after which an upgrade continues without a backup: backups do not apply, or the plan does not allow one more. */
const GOES_WITHOUT = ['backup_not_supported', 'feature_unavailable', 'plan_feature_required', 'plan_limit_reached'];

/** The backup that an upgrade takes before it changes a node. Its name makes it unique, also when the step runs again. */
@Injectable()
export class UpgradeBackup {
  constructor(
    private readonly database: Database,
    private readonly backups: BackupsRepository,
    private readonly requests: BackupRequests,
  ) {}

  async take(operation: OperationRow): Promise<'taken' | 'goes_without' | 'another_is_taken'> {
    if (await this.find(operation)) return 'taken';
    try {
      await this.database.transaction(() => this.request(operation));
      return 'taken';
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      if (GOES_WITHOUT.includes(error.code)) return 'goes_without';
      if (error.code === 'state_conflict') return 'another_is_taken';
      throw error;
    }
  }

  /** @throws StepImpossible when the backup failed. Without a backup, the upgrade changes nothing. */
  async isTaken(operation: OperationRow): Promise<boolean> {
    const backup = await this.find(operation);
    if (backup?.status === 'failed') throw new StepImpossible('the backup before the upgrade failed');
    return backup === null || !['pending', 'in_progress'].includes(backup.status);
  }

  private find(operation: OperationRow) {
    return this.backups.findNamed(deploymentOf(operation), nameOf(operation), 'pre_upgrade');
  }

  private async request(operation: OperationRow): Promise<void> {
    await this.requests.take({
      deploymentId: deploymentOf(operation),
      name: nameOf(operation),
      type: 'pre_upgrade',
      nodeId: null,
      remarks: 'Taken before an upgrade',
      authorId: operation.author_id,
      apiKeyId: operation.api_key_id,
      traceId: operation.trace_id,
    });
  }
}

const nameOf = (operation: OperationRow): string => `pre-upgrade-${operation.id}`;
