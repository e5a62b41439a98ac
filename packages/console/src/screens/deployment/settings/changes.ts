import type { Main } from '@landlord/sdk';
import { commandLine, quoted } from '../../../lib/command-line.js';

export interface Texts {
  name: string;
  description: string;
}

/** Only what the person has changed, so that a change of another person to the rest stays. */
export const changesOf = (now: Texts, wanted: Texts): Partial<Texts> => ({
  ...(wanted.name.trim() !== now.name && { name: wanted.name.trim() }),
  ...(wanted.description.trim() !== now.description && { description: wanted.description.trim() }),
});

/** The line of the command line for the same change. An empty description is a word of its own. */
export const changeLine = (deploymentId: number, { name, description }: Partial<Texts>): string => {
  const words = description === undefined ? [] : ['--description', quoted(description)];
  return commandLine({ command: ['deployments update', deploymentId, ...words].join(' '), options: { name } });
};

export const protectionLine = (deploymentId: number, isProtected: boolean): string =>
  commandLine({ command: `deployments update ${deploymentId}`, options: { protected: String(isProtected) } });

export const deletionLine = (deploymentId: number, code: string): string =>
  commandLine({ command: `deployments delete ${deploymentId} --wait`, options: { code } });

/** What the mailed code allows. */
export const deletionOf = (
  tenantId: number,
  { id, division_id, environment_id }: Pick<Main.DeploymentView, 'id' | 'division_id' | 'environment_id'>,
): Main.ProtectedActionDto => ({
  action_type: 'delete_deployment',
  payload: { tenant_id: tenantId, division_id, environment_id, deployment_id: id },
});

export const codeLine = (action: Main.ProtectedActionDto): string =>
  commandLine({ command: 'protection-codes request', options: { action: JSON.stringify(action) } });
