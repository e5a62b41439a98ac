import { listProcesses, type ProcessEntry } from './process-table.js';

/** The argument that marks an app as one of this installation; the launcher passes it, `find` looks for it. */
export function appFlag(installation: string): string {
  return `--landlord-app=${installation}`;
}

/** Pids of the apps that a launcher of this installation started, whoever their parent is by now. */
export function findApps(installation: string): number[] {
  return pids((argv) => argv.includes(appFlag(installation)));
}

/** Pids of this installation's node agents. They go before their brokers, which they would otherwise start again. */
export function findAgents(installation: string): number[] {
  return pids((argv) => isOfNode(argv, installation) && isAgent(argv));
}

/** Pids of every process that belongs to a node of this installation: agents, brokers, gates, connectors. */
export function findNodeProcesses(installation: string): number[] {
  return pids((argv) => isOfNode(argv, installation));
}

function pids(matches: (argv: string[]) => boolean): number[] {
  return listProcesses()
    .filter((entry: ProcessEntry) => matches(entry.argv))
    .map((entry) => entry.pid);
}

function isOfNode(argv: string[], installation: string): boolean {
  // `includes`, for a broker may carry the mark inside its process title.
  return argv.some((argument) => argument.includes(`--landlord-node=${installation}/`));
}

function isAgent(argv: string[]): boolean {
  return argv.some((argument) => /(^|\/)agent\.main\.(js|ts)$/.test(argument));
}
