// The errors in the logs of all processes of a run.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ERROR = 50;

/** Log lines of level error, by message and cause, with their number. */
export function errorsInLogs(directory) {
  const counts = {};
  for (const file of readdirSync(directory).filter((name) => name.endsWith('.log'))) {
    for (const line of readFileSync(join(directory, file), 'utf8').split('\n')) {
      const entry = entryOf(line);
      if (!entry || entry.level < ERROR) continue;
      const what = `${entry.app}: ${entry.msg}${entry.err ? `: ${entry.err.message}` : ''}`.replaceAll(/\d+/g, 'N');
      counts[what] = (counts[what] ?? 0) + 1;
    }
  }
  return counts;
}

/** The entry of a line; null if a kill cut the line. */
function entryOf(line) {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
