import type { InstructionStepView } from '../dto/instructions.view.js';

/** The access rules of the deployment apply to every network: without a rule no client connects. */
export const letInStep = (deploymentUrl: string, cidr: string): InstructionStepView => ({
  title: 'Let your network in',
  description: `An access rule of the deployment has to allow ${cidr}, or the nodes refuse every connection. The key needs deployment:access:manage.`,
  command: `curl "${deploymentUrl}/access_rules" -H "ld-api-key: $KEY" -H 'content-type: application/json' \\
  -d '{"name":"private network","cidr_blocks":["${cidr}"],"rules":{"broker_tcp":true}}'`,
});
