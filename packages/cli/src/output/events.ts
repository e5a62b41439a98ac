import { interruptible } from './interruptible.js';
import { isForPeople, jsonOf, type Format } from './output.js';

/** Prints one event in a line, until the stream ends or Ctrl-C. Programs get JSON. */
export async function printEvents<T>(
  open: (signal: AbortSignal) => AsyncIterable<{ data: T }>,
  format: Format,
  lineOf: (data: T) => string,
): Promise<void> {
  const print = async (signal: AbortSignal): Promise<void> => {
    for await (const { data } of open(signal))
      process.stdout.write(`${isForPeople(format) ? lineOf(data) : jsonOf(data)}\n`);
  };
  await interruptible(print, () => undefined);
}
