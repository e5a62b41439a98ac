/** What the specification of a Supervisor says of itself. */
export const API_DESCRIPTION = {
  title: 'Landlord: Supervisor API',
  version: '1.0.0',
  description: [
    'Runtime of the deployments of one cell: live status and nodes, client credentials, operations.',
    'A deployment of another region is not found here; once you may read it, the refusal names its Supervisor.',
    '',
    'Send an API key in the header `ld-api-key`; the keys are those of the main API.',
  ].join('\n'),
};
