import type { AGENT_PATHS, DESIRED_WAIT_SECONDS, DOCUMENT_LIMIT_BYTES } from '@libs/domain';

/**
 * The values of the protocol, said again and held to the domain's by their types. Importing the values would load all of
 * the domain into every agent, which costs a quarter of its memory budget.
 */
export const PATHS: typeof AGENT_PATHS = {
  register: '/agent/v1/register',
  desired: '/agent/v1/desired',
  status: '/agent/v1/status',
};
export const WAIT_SECONDS: typeof DESIRED_WAIT_SECONDS = 25;
export const LARGEST_DOCUMENT_BYTES: typeof DOCUMENT_LIMIT_BYTES = 1024 * 1024;
