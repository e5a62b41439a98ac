import { join } from 'node:path';
import type { DivisionId, EnvironmentId, TenantId } from '@libs/domain';
import type { Installation } from '@libs/persistence/migrations';
import type { LauncherConfig } from '../config.js';
import { readFileIfAnySync, writePrivateFileSync } from '@libs/host/os';

/** `<data dir>/bootstrap.json` (0600): the addresses and credentials that scripts, tests and examples need. */
export interface Bootstrap {
  main_api_url: string;
  supervisor_url: string;
  tenant_id: TenantId;
  division_id: DivisionId;
  environment_id: EnvironmentId;
  api_key: string;
  owner_email: string;
  owner_password: string;
}

/** The path of the file. */
export function bootstrapPath(dataDir: string): string {
  return join(dataDir, 'bootstrap.json');
}

/**
 * Writes the file at the first boot, the only time when the secrets are known. Later only corrects the addresses. Returns the
 * content, or null when the file was lost.
 */
export function ensureBootstrapFile(config: LauncherConfig, installation: Installation): Bootstrap | null {
  const path = bootstrapPath(config.dataDir);
  const addresses = { main_api_url: config.mainApi.url, supervisor_url: config.supervisor.url };
  const known = installation.first_boot ? firstBootstrap(installation) : readBootstrap(config.dataDir);
  if (!known) return null;
  const bootstrap: Bootstrap = { ...known, ...addresses };
  const content = `${JSON.stringify(bootstrap, null, 2)}\n`;
  if (readFileIfAnySync(path) !== content.trim()) writePrivateFileSync(path, content);
  return bootstrap;
}

function firstBootstrap(installation: Installation): Bootstrap {
  return {
    main_api_url: '',
    supervisor_url: '',
    tenant_id: installation.tenant_id,
    division_id: installation.division_id,
    environment_id: installation.environment_id,
    api_key: installation.api_key ?? '',
    owner_email: installation.owner_email,
    owner_password: installation.owner_password ?? '',
  };
}

/** Null without the file. */
export function readBootstrap(dataDir: string): Bootstrap | null {
  const text = readFileIfAnySync(bootstrapPath(dataDir));
  return text ? (JSON.parse(text) as Bootstrap) : null;
}
