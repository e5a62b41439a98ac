import { Option, type Command } from 'commander';
import { FORMATS, type Format } from './output/output.js';
import type { CommonOptions } from './settings/session.js';

export interface AnyOptions extends CommonOptions {
  output: Format;
  wait?: boolean;
  timeout?: string;
  idempotencyKey?: string;
  yes?: boolean;
  dryRun?: boolean;
  body?: string;
  [name: string]: unknown;
}

/** The heading of the options that every command has. */
export const COMMON = 'Options of every command:';

/** Adds the options of a command that can wait for an operation. */
export const withWait = (command: Command, what = 'wait until the operation of the request has ended'): Command =>
  command
    .option('--wait', what)
    .option('--timeout <duration>', 'with --wait: end the wait after this time, such as 10m; the operation continues');

/** Adds the options that every command has. */
export const withCommonOptions = (command: Command): Command =>
  command
    .optionsGroup(COMMON)
    .addOption(new Option('-o, --output <format>', 'the form of the answer').choices(FORMATS).default('table'))
    .option('--context <name>', 'use this context')
    .option('--url <url>', 'the address of the main API')
    .option('--tenant <id>', 'the tenant')
    .option('--division <name or id>', 'the division')
    .option('--environment <name or id>', 'the environment')
    .option('-d, --deployment <name or id>', 'the deployment');
