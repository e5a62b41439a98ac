import type { Installation } from '@libs/persistence/migrations';
import type { LauncherConfig } from '../config.js';
import { bootstrapPath, type Bootstrap } from '../files/bootstrap-file.js';

interface Started {
  bootstrap: Bootstrap | null;
  installation: Installation;
  /** Signs the first owner in. */
  link: string | null;
  /** The words that run the command line. */
  command: string;
}

/** The information for a person after the start: addresses, the first key (only once), the console, and a command to copy. */
export function greeting(config: LauncherConfig, { bootstrap, installation, link, command }: Started): string {
  return [
    '',
    'Landlord is running.',
    `  Main API        ${config.mainApi.url}    docs ${config.mainApi.url}/docs`,
    `  Supervisor API  ${config.supervisor.url}    docs ${config.supervisor.url}/docs`,
    `  Data and logs   ${config.dataDir}`,
    '',
    ...(installation.first_boot && bootstrap ? firstSecrets(config, bootstrap) : laterSecrets(config, bootstrap)),
    ...(link === null ? [] : consoleOf(installation.owner_email, link)),
    ...(bootstrap
      ? ['', 'Create a Free deployment, in a second terminal:', '', `  ${command} deployments create --starter --wait`]
      : []),
    '',
    'Press Ctrl-C to stop Landlord.',
  ].join('\n');
}

function firstSecrets(config: LauncherConfig, bootstrap: Bootstrap): string[] {
  return [
    'First start: Landlord has created a tenant, its owner and an API key. Landlord shows them only now.',
    `  API key   ${bootstrap.api_key}`,
    `  Owner     ${bootstrap.owner_email}`,
    `  Password  ${bootstrap.owner_password}`,
    `The file ${bootstrapPath(config.dataDir)} also contains these values. Only your user can read this file.`,
  ];
}

function laterSecrets(config: LauncherConfig, bootstrap: Bootstrap | null): string[] {
  if (bootstrap) return [`The API key of the first start is in ${bootstrapPath(config.dataDir)}.`];
  return [
    `${bootstrapPath(config.dataDir)} is missing. Landlord stores the secrets of this file nowhere else. Use a key that you have saved.`,
  ];
}

const consoleOf = (owner: string, link: string): string[] => [
  '',
  `Open the console as ${owner}. The link works once, for 15 minutes:`,
  '',
  `  ${link}`,
];
