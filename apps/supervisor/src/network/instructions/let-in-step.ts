import type { InstructionStepView } from '../dto/instructions.view.js';

/** The last door is ours: nobody connects without an access rule, whatever network they come from. */
export const letInStep = (deploymentUrl: string, cidr: string): InstructionStepView => ({
  title: 'Let your network in',
  description: `An access rule of the deployment has to allow ${cidr}, or the nodes refuse every connection. The key needs deployment:access:manage.`,
  command: `curl "${deploymentUrl}/access_rules" -H "ld-api-key: $KEY" -H 'content-type: application/json' \\
  -d '{"name":"private network","cidr_blocks":["${cidr}"],"rules":{"broker_tcp":true}}'`,
});
