import { APP_FLAG } from '@libs/domain/starts';
import { listProcesses } from '@libs/host/os';

/** The argument that marks an app of this installation. The launcher passes it, and `findApps` searches for it. */
export function appFlag(installation: string): string {
  return `${APP_FLAG}${installation}`;
}

/** Pids of the apps of this installation, whatever their parent process is. */
export function findApps(installation: string): Promise<number[]> {
  return pids((argv) => argv.includes(appFlag(installation)));
}

/** Pids of this installation's node agents. Stop them before their brokers, because they would restart the brokers. */
export function findAgents(installation: string): Promise<number[]> {
  return pids((argv) => isOfNode(argv, installation) && isAgent(argv));
}

/** Pids of all processes of nodes of this installation: agents, brokers, gates, connectors. */
export function findNodeProcesses(installation: string): Promise<number[]> {
  return pids((argv) => isOfNode(argv, installation));
}

async function pids(matches: (argv: string[]) => boolean): Promise<number[]> {
  return (await listProcesses()).filter(({ argv }) => matches(argv)).map(({ pid }) => pid);
}

function isOfNode(argv: string[], installation: string): boolean {
  // Uses `includes`, because a broker may have the flag inside its process title.
  return argv.some((argument) => argument.includes(`--landlord-node=${installation}/`));
}

function isAgent(argv: string[]): boolean {
  return argv.some((argument) => /(^|\/)agent\.main\.(js|ts)$/.test(argument));
}
