import { usage } from '../../exit.js';
import type { Source } from '../../settings/contexts.js';
import { openSession, type CommonOptions } from '../../settings/session.js';

export interface ApiOptions extends CommonOptions {
  body?: string;
  field?: string[];
  paginate?: boolean;
  select?: string;
  supervisor?: string;
}

const LEVELS = ['division', 'environment', 'deployment'] as const;

/** The path with the ids of the levels that it names in braces. @throws CommandError */
export async function filled(path: string, { context }: Source, options: ApiOptions): Promise<string> {
  let text = path.replaceAll('{tenant_id}', () => {
    if (context.tenant_id !== undefined) return String(context.tenant_id);
    throw usage('The context has no tenant.', 'set LANDLORD_TENANT_ID');
  });
  const deepest = LEVELS.findLast((level) => text.includes(`{${level}_id}`));
  if (deepest === undefined) return text;
  const ids = await openSession(options).places.find(deepest);
  for (const level of LEVELS) text = text.replaceAll(`{${level}_id}`, String(ids[`${level}_id`]));
  return text;
}

/** The address of the Supervisor of the deployment that the path names. Undefined: the main API has the path. */
export async function supervisorOf(path: string, options: ApiOptions): Promise<string | undefined> {
  const [, id] = /^\/deployments\/(\d+)(?:\/|\?|$)/.exec(path) ?? [];
  if (id === undefined) return undefined;
  const { landlord, places } = openSession(options);
  const { division_id = 0, environment_id = 0, deployment_id = 0 } = await places.find('deployment', id);
  const { supervisor_url } = await landlord.deployments.get({ division_id, environment_id, deployment_id });
  return supervisor_url ?? undefined;
}
