import type { InstructionStepView } from '../dto/instructions.view.js';

/** The access rules of the deployment apply to every network: without a rule no client connects. */
export const letInStep = (deploymentUrl: string, cidr: string): InstructionStepView => ({
  title: 'Allow your network',
  description: `Create an access rule that allows ${cidr}. Without an access rule the nodes refuse every connection. The API key needs the permission deployment:access:manage.`,
  command: `curl "${deploymentUrl}/access_rules" -H "ld-api-key: $KEY" -H 'content-type: application/json' \\
  -d '{"name":"private network","cidr_blocks":["${cidr}"],"rules":{"broker_tcp":true}}'`,
});
