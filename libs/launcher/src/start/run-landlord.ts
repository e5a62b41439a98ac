import { outageAtWork } from '@libs/domain';
import type { LauncherConfig } from '../config.js';
import { ownNote } from '../files/launcher-lock.js';
import { LauncherError } from '../launcher-error.js';
import { requireSettings } from './check-settings.js';
import { explained } from './explained.js';
import { HandOver } from './hand-over.js';
import { Landlord } from './landlord.js';
import { StopSignals } from './stop-signals.js';
import { openTerminal, type Terminal } from './terminal.js';

/** What a verb that starts Landlord works with. */
export interface Running {
  landlord: Landlord;
  config: LauncherConfig;
  terminal: Terminal;
  signals: StopSignals;
}

/**
 * Runs the database and both apps until a signal, then stops them in order, or leaves them to an `upgrade` that asks for them.
 * `begin` starts them. Resolves when all of it is done. Throws the reason of a failed start or stop.
 */
export async function runLandlord(begin: (running: Running) => Promise<void>): Promise<void> {
  const terminal = openTerminal();
  const config = await requireSettings();
  const landlord = new Landlord(config, terminal, ownNote(config));
  const signals = new StopSignals(() => terminal.complain('Stopping immediately.'));
  const handOver = new HandOver(config.dataDir, signals);
  let lastLine = 'Landlord has stopped.';
  const defects = stopOnDefect(signals, terminal);
  try {
    await begin({ landlord, config, terminal, signals });
    await signals.wait();
  } catch (error) {
    // A stop signal may end the start with an exception. This is not a failure.
    if (!signals.stop.aborted) throw explained(config, error);
  } finally {
    if (!landlord.isInCharge) lastLine = 'This start has ended.';
    if (handOver.isAsked) await landlord.leave(signals.hurry);
    else await stop({ landlord, terminal, signals });
  }
  const [defect] = defects;
  if (defect) throw defect;
  terminal.say(handOver.isAsked ? handOver.lastLine() : lastLine);
}

async function stop({ landlord, terminal, signals }: Omit<Running, 'config'>): Promise<void> {
  if (signals.stop.aborted) terminal.say('\nStopping.');
  await landlord.stop(signals.hurry);
}

/**
 * After a bug in the launcher itself, all started processes must still be stopped. A failure of the disk or of the database that no
 * code caught is no reason to stop them: they continue, and the work of the launcher is repeated every second.
 */
function stopOnDefect(signals: StopSignals, terminal: Terminal): Error[] {
  const defects: Error[] = [];
  const onDefect = (reason: unknown): void => {
    if (outageAtWork(reason) !== null) return terminal.complain(`Landlord continues: ${String(reason)}`);
    defects.push(reason instanceof Error ? reason : new LauncherError(String(reason)));
    signals.ask();
  };
  process.on('uncaughtException', onDefect);
  process.on('unhandledRejection', onDefect);
  return defects;
}
