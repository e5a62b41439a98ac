import type { Command } from 'commander';

interface OwnCommand {
  text: string;
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
    load: async () => (await import('./login.js')).loginCommand(),
  },
  logout: {
    text: 'forget the key of the current context',
    load: async () => (await import('./logout.js')).logoutCommand(),
  },
  context: {
    text: 'show, choose and change contexts',
    load: async () => (await import('./context.js')).contextCommand(),
  },
  api: {
    text: 'send a request to the API',
    load: async () => (await import('./api.js')).apiCommand(),
  },
  events: {
    text: 'follow the steps of an operation',
    load: async () => (await import('./events.js')).eventsCommand(),
  },
  completion: {
    text: 'print a script that completes words in bash, zsh or fish',
    load: async () => (await import('./completion.js')).completionCommand(),
  },
  mcp: {
    text: 'serve tools for a model over the Model Context Protocol',
    load: async () => (await import('./mcp.js')).mcpCommand(),
  },
  top: {
    text: 'watch deployments, operations, metrics and logs on the whole screen',
    load: async () => (await import('./top.js')).topCommand(),
  },
  'deployments create': {
    text: 'create a deployment',
    load: async () => (await import('./deployments-create.js')).createCommand(),
  },
  'deployments connect': {
    text: 'show how clients connect, or start one',
    load: async () => (await import('./deployments-connect.js')).connectCommand(),
  },
  'rules add': {
    text: 'open a deployment to addresses',
    load: async () => (await import('./rules-add.js')).addCommand(),
  },
  'logs stream': {
    text: 'show new log lines until Ctrl-C',
    load: async () => (await import('./logs-stream.js')).streamCommand(),
  },
  'config edit': {
    text: 'change the active configuration in an editor',
    load: async () => (await import('./config/edit.js')).editCommand(),
  },
  'config set': {
    text: 'change keys of the active configuration',
    load: async () => (await import('./config/change.js')).setCommand(),
  },
  'config unset': {
    text: 'give keys their defaults again',
    load: async () => (await import('./config/change.js')).unsetCommand(),
  },
  'config rollback': {
    text: 'activate the version before the active one',
    load: async () => (await import('./config/change.js')).rollbackCommand(),
  },
  'config activate': {
    text: 'activate a version',
    load: async () => (await import('./config/change.js')).activateCommand(),
  },
  'config get-schema': {
    text: 'show every key',
    load: async () => (await import('./config/schema.js')).schemaCommand(),
  },
};
