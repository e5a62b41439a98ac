import { Command } from 'commander';
import type { Supervisor } from '@landlord/sdk';
import { withCommonOptions, type AnyOptions } from '../common-options.js';
import { printEvents } from '../output/events.js';
import { cell } from '../output/table.js';
import { openSession } from '../settings/session.js';

export const streamCommand = (): Command =>
  withCommonOptions(
    new Command('stream')
      .description('Prints new log lines of the nodes, and goes on after the connection breaks.')
      .option('--level <level>', 'only lines of this level')
      .option('--runtime <runtime>', 'only lines of broker, connectors or agent')
      .option('--message <text>', 'only lines with this text'),
  ).action(stream);

/** Clients of the broker write the text of a line. */
export const logLine = ({ at, node_id, level, runtime, message }: Supervisor.LogLineView): string =>
  `${at} ${level.padEnd(5)} ${node_id} ${runtime}: ${cell(message)}`;

async function stream(options: AnyOptions): Promise<void> {
  const { landlord, places } = openSession(options);
  const { deployment_id = 0 } = await places.find('deployment');
  const { level, runtime, message } = options;
  const filter = Object.fromEntries(
    Object.entries({ level, runtime, message }).filter(([, value]) => value !== undefined),
  );
  const open = (signal: AbortSignal) => landlord.logs.stream({ deployment_id, ...filter }, { signal });
  await printEvents(open, options.output, logLine);
}
