import { LauncherError } from '../launcher-error.js';
import { requireSettings } from '../start/check-settings.js';
import { explained } from '../start/explained.js';
import { Landlord } from '../start/landlord.js';
import { StopSignals } from '../start/stop-signals.js';
import { openTerminal } from '../start/terminal.js';

/**
 * `landlord start`: runs the database and both apps until a signal, then stops them in order. Resolves when all of it has
 * stopped. Throws the reason of a failed start or stop.
 */
export async function start(): Promise<void> {
  const terminal = openTerminal();
  const config = await requireSettings();
  const landlord = new Landlord(config, terminal);
  const signals = new StopSignals(() => terminal.complain('Stopping immediately.'));
  const defects = stopOnDefect(signals);
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

/** After a bug in the launcher itself, all started processes must still be stopped. */
function stopOnDefect(signals: StopSignals): Error[] {
  const defects: Error[] = [];
  const onDefect = (reason: unknown): void => {
    defects.push(reason instanceof Error ? reason : new LauncherError(String(reason)));
    signals.ask();
  };
  process.on('uncaughtException', onDefect);
  process.on('unhandledRejection', onDefect);
  return defects;
}
