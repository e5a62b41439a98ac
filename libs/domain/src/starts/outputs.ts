const ignore = (): void => undefined;

/**
 * Lets this process continue when its output cannot be written: the disk of the log is full, or its reader has ended. Without a
 * listener, Node ends the process at the second line that a library prints in one turn.
 */
export function outliveOutputs(): void {
  for (const stream of [process.stdout, process.stderr])
    if (!stream.listeners('error').includes(ignore)) stream.on('error', ignore);
}
