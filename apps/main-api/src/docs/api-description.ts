/** What the core management specification says of itself. */
export const API_DESCRIPTION = {
  title: 'Landlord: core management API',
  version: '1.0.0',
  description: [
    'Manages an organization (tenant, divisions, environments) and the lifecycle of its broker deployments.',
    'What runs inside a deployment is managed at the Supervisor of its region: the `supervisor_url` of the deployment.',
    '',
    'Send an API key in the header `ld-api-key`. Refusals are `application/problem+json` with a stable `code`; the list',
    'is at `/errors`. Repeat a POST or PUT safely under an `idempotency-key`. Long work answers 202 and an operation:',
    'read it with `?wait=60` instead of polling.',
  ].join('\n'),
};
