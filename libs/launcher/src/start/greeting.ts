import type { LauncherConfig } from '../config.js';
import { bootstrapPath, type Bootstrap } from '../files/bootstrap-file.js';

/** The information for a person after the start: addresses, the first key (only once), and a request to copy. */
export function greeting(config: LauncherConfig, bootstrap: Bootstrap | null, isFirstBoot: boolean): string {
  return [
    '',
    'Landlord is running.',
    `  Main API        ${config.mainApi.url}    docs ${config.mainApi.url}/docs`,
    `  Supervisor API  ${config.supervisor.url}    docs ${config.supervisor.url}/docs`,
    `  Data and logs   ${config.dataDir}`,
    '',
    ...(isFirstBoot && bootstrap ? firstSecrets(config, bootstrap) : laterSecrets(config, bootstrap)),
    ...(bootstrap ? ['', 'Create a Free deployment:', '', curl(config, bootstrap, isFirstBoot)] : []),
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

/** Later starts do not show the key again. The shell reads it from the file. */
function curl(config: LauncherConfig, bootstrap: Bootstrap, isFirstBoot: boolean): string {
  const path = `/tenants/${bootstrap.tenant_id}/divisions/${bootstrap.division_id}/deployments/starter`;
  const file = JSON.stringify(bootstrapPath(config.dataDir));
  const key = isFirstBoot ? bootstrap.api_key : `$(node -p 'require(${file}).api_key')`;
  return [
    `  curl -X POST ${bootstrap.main_api_url}${path} \\`,
    `    -H "ld-api-key: ${key}" \\`,
    `    -H 'content-type: application/json' \\`,
    `    -d '{"cloud":"aws","region":"us-east-1"}'`,
  ].join('\n');
}
