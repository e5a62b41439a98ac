/**
 * A problem whose message is written for the person at the terminal: what is wrong, and what to change.
 * The command line prints the message alone, without a stack, and exits with 1.
 */
export class LauncherError extends Error {
  override readonly name = 'LauncherError';
}
