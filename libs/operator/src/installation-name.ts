import { InstallationRepository } from '@libs/persistence/platform';
import { OperatorRefused } from './operator-refused.js';
import type { OperatorSession } from './operator-session.js';

/** The name of the installation, which its resources have as a tag. @throws OperatorRefused for an empty database */
export async function installationName({ database }: OperatorSession): Promise<string> {
  const installation = await new InstallationRepository(database).find();
  if (installation) return installation.name;
  throw new OperatorRefused('The database contains no installation. Start Landlord once.');
}
