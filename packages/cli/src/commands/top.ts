import { Command } from 'commander';
import type { CommonOptions } from '../settings/session.js';

export const topCommand = (): Command =>
  new Command('top')
    .description(
      'Shows deployments, operations, live metrics and logs on the whole screen, until you press q. Arrow keys and the mouse choose a deployment.',
    )
    .option('--context <name>', 'use this context')
    .option('--url <url>', 'the address of the main API')
    .option('--tenant <id>', 'the tenant')
    .action(async (options: CommonOptions) => (await import('../top/landlord-top.js')).landlordTop(options));
