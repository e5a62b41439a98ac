import type { BackupId, DeploymentId } from '@libs/domain';
import { SecretUnreadable } from '@libs/persistence';
import type { BackupsRepository, DataKeysRepository } from '@libs/persistence/runtime';
import { StepImpossible } from '@libs/workflow';

/** @throws StepImpossible when the nodes could not read the data of the backup with their key */
export async function requireSameKey(
  { backups, dataKeys }: { backups: BackupsRepository; dataKeys: DataKeysRepository },
  deploymentId: DeploymentId,
  backupId: BackupId,
): Promise<void> {
  const needed = await backups.keyIdOf(deploymentId, backupId);
  const present = await dataKeys.idOf(deploymentId).catch((error: unknown) => {
    if (error instanceof SecretUnreadable) throw new StepImpossible('the key of the deployment cannot be read');
    throw error;
  });
  if (needed === present) return;
  throw new StepImpossible(
    needed === null
      ? 'the backup is not encrypted, and the deployment is'
      : 'the backup is encrypted with another key than the deployment',
  );
}
