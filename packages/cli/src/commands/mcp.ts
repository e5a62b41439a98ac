import { Command } from 'commander';
import type { McpOptions } from '../mcp/landlord-mcp.js';

export const mcpCommand = (): Command =>
  new Command('mcp')
    .description(
      'Serves tools for a model over the Model Context Protocol, on stdin and stdout, until stdin ends. The tools read. They never return passwords or keys.',
    )
    .option(
      '--allow-writes [groups]',
      'offer tools that change things, too: all that the key has a right for, or these groups of deployments, access, config, backups',
    )
    .option('--context <name>', 'use this context')
    .option('--url <url>', 'the address of the main API')
    .option('--tenant <id>', 'the tenant')
    .action(async (options: McpOptions) => (await import('../mcp/landlord-mcp.js')).landlordMcp(options));
