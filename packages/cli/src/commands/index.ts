import type { Command } from 'commander';

interface OwnCommand {
  text: string;
  /** Whole commands, for the help. */
  examples: readonly string[];
  /** Loads the file of the command. */
  load: () => Promise<Command>;
}

/**
 * The commands that are written by hand, in addition to one for each request. The group of a command is the first word of its name. A
 * command with one word is beside the groups.
 */
export const OWN_COMMANDS: Readonly<Record<string, OwnCommand>> = {
  login: {
    text: 'store a key, and use its installation from now on',
    examples: [
      'landlord login --url https://landlord.example.com',
      'landlord login --browser --url https://landlord.example.com --name work',
    ],
    load: async () => (await import('./account/login.js')).loginCommand(),
  },
  logout: {
    text: 'forget the key of the current context',
    examples: ['landlord logout --context work'],
    load: async () => (await import('./account/logout.js')).logoutCommand(),
  },
  whoami: {
    text: 'show the installation, the organization and the role of the key',
    examples: ['landlord whoami', 'landlord whoami --context work'],
    load: async () => (await import('./account/whoami.js')).whoamiCommand(),
  },
  context: {
    text: 'show, choose and change contexts',
    examples: ['landlord context list', 'landlord context use work', 'landlord context set deployment orders'],
    load: async () => (await import('./account/context.js')).contextCommand(),
  },
  api: {
    text: 'send a request to the API',
    examples: [
      "landlord api '/tenants/{tenant_id}/divisions' --paginate --select .[].name",
      "landlord api '/deployments/{deployment_id}' -d orders",
      "landlord api POST '/tenants/{tenant_id}/divisions' -f name=payments",
    ],
    load: async () => (await import('./api/api.js')).apiCommand(),
  },
  events: {
    text: 'follow the steps of an operation',
    examples: ['landlord events', 'landlord events -d orders'],
    load: async () => (await import('./events.js')).eventsCommand(),
  },
  why: {
    text: 'say why a deployment does not work',
    examples: ['landlord why orders'],
    load: async () => (await import('./why.js')).whyCommand(),
  },
  completion: {
    text: 'print a script that completes words in bash, zsh or fish',
    examples: ['landlord completion bash'],
    load: async () => (await import('./completion.js')).completionCommand(),
  },
  mcp: {
    text: 'serve tools for a model over the Model Context Protocol',
    examples: ['landlord mcp', 'landlord mcp --allow-writes=deployments,config'],
    load: async () => (await import('./mcp.js')).mcpCommand(),
  },
  top: {
    text: 'watch deployments, operations, metrics and logs on the whole screen',
    examples: ['landlord top'],
    load: async () => (await import('./top.js')).topCommand(),
  },
  'deployments create': {
    text: 'create a deployment',
    examples: [
      'landlord deployments create --starter --name orders --wait',
      'landlord deployments create --managed --name big --tier small --managed-tier standard --cluster cluster --dry-run',
    ],
    load: async () => (await import('./deployments-create.js')).createCommand(),
  },
  'deployments connect': {
    text: 'show how clients connect, or start one',
    examples: ['landlord deployments connect orders', 'landlord deployments connect orders --exec node consumer.js'],
    load: async () => (await import('./deployments-connect.js')).connectCommand(),
  },
  'rules add': {
    text: 'open a deployment to addresses',
    examples: [
      'landlord rules add --my-ip -d orders --for 2h',
      'landlord rules add 203.0.113.0/24 -d orders --name office',
    ],
    load: async () => (await import('./rules-add.js')).addCommand(),
  },
  'logs stream': {
    text: 'show new log lines until Ctrl-C',
    examples: ['landlord logs stream -d orders --level error'],
    load: async () => (await import('./logs-stream.js')).streamCommand(),
  },
  'config edit': {
    text: 'change the active configuration in an editor',
    examples: ['landlord config edit -d orders --wait'],
    load: async () => (await import('./config/edit.js')).editCommand(),
  },
  'config set': {
    text: 'change keys of the active configuration',
    examples: ['landlord config set mqtt.max_connections=50 -d orders --wait'],
    load: async () => (await import('./config/change.js')).setCommand(),
  },
  'config unset': {
    text: 'give keys their defaults again',
    examples: ['landlord config unset mqtt.max_connections -d orders'],
    load: async () => (await import('./config/change.js')).unsetCommand(),
  },
  'config rollback': {
    text: 'activate the version before the active one',
    examples: ['landlord config rollback -d orders --wait'],
    load: async () => (await import('./config/change.js')).rollbackCommand(),
  },
  'config activate': {
    text: 'activate a version',
    examples: ['landlord config activate 2 -d orders --wait'],
    load: async () => (await import('./config/change.js')).activateCommand(),
  },
  'config get-schema': {
    text: 'show every key',
    examples: ['landlord config get-schema -d orders'],
    load: async () => (await import('./config/schema.js')).schemaCommand(),
  },
};
