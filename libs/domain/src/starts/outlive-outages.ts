import { outageAtWork, type Outage } from '../outages/outages.js';
import { sayLast } from './last-words.js';
import { outliveOutputs } from './outputs.js';
import { lastWords } from './start-refused.js';

/**
 * Keeps this process alive when a failure of the disk or of the database reaches no caller: a timer of a library, or an event
 * without a listener. Its work fails and is repeated like any other. Every other uncaught error still ends the process, with its
 * stack. `tell` must not throw.
 */
export function outliveOutages(tell: (error: Error, outage: Outage) => void): void {
  outliveOutputs();
  // Node passes unhandled rejections here too.
  process.on('uncaughtException', (error) => {
    const outage = outageAtWork(error);
    if (outage !== null) return tell(error, outage);
    sayLast(lastWords(error).text);
    process.exit(1);
  });
}
