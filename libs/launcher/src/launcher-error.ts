/**
 * A problem with a message for the person at the terminal: the problem and the necessary change. The command line prints only
 * the message, without a stack, and exits with code 1.
 */
export class LauncherError extends Error {
  override readonly name = 'LauncherError';
}
