/** How a command ends. The guide of the command line has this table. */
export const EXIT = {
  done: 0,
  other: 1,
  usage: 2,
  unauthenticated: 3,
  notFound: 4,
  refused: 5,
  conflict: 6,
  limit: 7,
  operationFailed: 8,
  network: 9,
  timeout: 10,
  /** The program of `connect --exec` cannot be started, as in a shell. */
  noProgram: 127,
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** An error with everything that a person needs to know. */
export class CommandError extends Error {
  /** @param hint what to do next: a command, or a sentence */
  constructor(
    message: string,
    readonly code: ExitCode,
    readonly hint?: string,
  ) {
    super(message);
  }
}

/** A program that the command has started ended with this code, and has said why. */
export class ProgramEnded extends Error {
  constructor(readonly code: number) {
    super(`The program has ended with code ${code}.`);
  }
}

export const usage = (message: string, hint?: string): CommandError => new CommandError(message, EXIT.usage, hint);
