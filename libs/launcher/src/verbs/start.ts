import { readConfig } from '../config.js';
import { LauncherError } from '../launcher-error.js';
import { Landlord } from '../start/landlord.js';
import { StopSignals } from '../start/stop-signals.js';
import { openTerminal } from '../start/terminal.js';

/**
 * `landlord start`: runs the database and both apps until a signal, then stops them in order. Resolves when nothing of it
 * runs any more; throws what kept it from starting or from stopping.
 */
export async function start(): Promise<void> {
  const terminal = openTerminal();
  const landlord = new Landlord(readConfig(), terminal);
  const signals = new StopSignals(() => terminal.complain('Stopping at once.'));
  const defects = stopOnDefect(signals);
  try {
    await landlord.start(signals.stop);
    await signals.wait();
  } catch (error) {
    // A wish to stop may end the start by an exception; that is no failure.
    if (!signals.stop.aborted) throw error;
  } finally {
    if (signals.stop.aborted) terminal.say('\nStopping.');
    await landlord.stop(signals.hurry);
  }
  const [defect] = defects;
  if (defect) throw defect;
  terminal.say('Landlord has stopped.');
}

/** A defect of the launcher itself must not leave behind what it started. */
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
