import { outageAtWork } from '@libs/domain';
import { LauncherError } from '../launcher-error.js';
import { requireSettings } from '../start/check-settings.js';
import { explained } from '../start/explained.js';
import { Landlord } from '../start/landlord.js';
import { StopSignals } from '../start/stop-signals.js';
import { openTerminal, type Terminal } from '../start/terminal.js';

/**
 * `landlord start`: runs the database and both apps until a signal, then stops them in order. Resolves when all of it has
 * stopped. Throws the reason of a failed start or stop.
 */
export async function start(): Promise<void> {
  const terminal = openTerminal();
  const config = await requireSettings();
  const landlord = new Landlord(config, terminal);
  const signals = new StopSignals(() => terminal.complain('Stopping immediately.'));
  const defects = stopOnDefect(signals, terminal);
  try {
    await landlord.start(signals.stop);
    await signals.wait();
  } catch (error) {
    // A stop signal may end the start with an exception. This is not a failure.
    if (!signals.stop.aborted) throw explained(config, error);
  } finally {
    if (signals.stop.aborted) terminal.say('\nStopping.');
    await landlord.stop(signals.hurry);
  }
  const [defect] = defects;
  if (defect) throw defect;
  terminal.say('Landlord has stopped.');
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
