import { HostError } from '@libs/host/os';

/**
 * A problem with a message for the person at the terminal: the problem and the necessary change. The command line prints only
 * the message, without a stack, and exits with `exitCode`.
 */
export class LauncherError extends HostError {
  override readonly name = 'LauncherError';
  readonly exitCode: number;

  constructor(message: string, { exitCode = 1, ...options }: ErrorOptions & { exitCode?: number } = {}) {
    super(message, options);
    this.exitCode = exitCode;
  }
}
