import { Command } from 'commander';
import { byId, withJson } from './command-parts.js';

// Loaded when it is used, so that `start` is fast.
const deployments = () => import('../operator/deployment-verbs.js');

/** `landlord ops deployments` */
export function deploymentsCommand(): Command {
  const command = new Command('deployments').description('explain a deployment of any tenant');
  withJson(byId(command, 'explain'))
    .description('show why a deployment is as it is: Supervisor, operations, nodes, incidents, problems in the logs')
    .action(async (id: number, options: object) => (await deployments()).explainDeployment(id, options));
  return command;
}
