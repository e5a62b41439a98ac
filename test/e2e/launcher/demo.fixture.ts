import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestCloud } from '@libs/testing';

/** Writes the file from which a demo knows a running cloud. Returns the environment of the demo. */
export function environmentOfDemo(cloud: TestCloud): Record<string, string> {
  const { tenant_id, division_id, environment_id } = cloud.installation;
  const urls = { main_api_url: cloud.mainApi.url, supervisor_url: cloud.supervisor.url };
  const bootstrap = { ...urls, tenant_id, division_id, environment_id, api_key: cloud.key };
  writeFileSync(join(cloud.directory, 'bootstrap.json'), JSON.stringify(bootstrap));
  return { LANDLORD_DATA_DIR: cloud.directory };
}
