import { resolve } from 'node:path';
import { DEFAULT_DATA_DIR, type LauncherConfig } from '../config.js';
import { bootstrapPath, type Bootstrap } from '../files/bootstrap-file.js';

/** The information for a person after the start: addresses, the first key (only once), and a command to copy. */
export function greeting(config: LauncherConfig, bootstrap: Bootstrap | null, isFirstBoot: boolean): string {
  return [
    '',
    'Landlord is running.',
    `  Main API        ${config.mainApi.url}    docs ${config.mainApi.url}/docs`,
    `  Supervisor API  ${config.supervisor.url}    docs ${config.supervisor.url}/docs`,
    `  Data and logs   ${config.dataDir}`,
    '',
    ...(isFirstBoot && bootstrap ? firstSecrets(config, bootstrap) : laterSecrets(config, bootstrap)),
    ...(bootstrap ? ['', 'Create a Free deployment, in a second terminal:', '', command(config.dataDir)] : []),
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

/** The command finds the key and the address in the data directory. */
function command(dataDir: string): string {
  const isDefault = resolve(dataDir) === resolve(DEFAULT_DATA_DIR);
  const elsewhere = isDefault ? '' : `LANDLORD_DATA_DIR=${JSON.stringify(dataDir)} `;
  return `  ${elsewhere}npx landlord deployments create --starter --wait`;
}
