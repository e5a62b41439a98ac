import { EXIT_CHANGE, START_CAUSES, type StartCause, type StartCauseName, type StartFacts } from './start-causes.js';

/** The message and the necessary change, as one text for a person. */
export function startText<Cause extends StartCauseName>(cause: Cause, facts: StartFacts<Cause>): string {
  const { says, todo }: StartCause = START_CAUSES[cause];
  const values = facts as Record<string, string>;
  const fill = (text: string): string => text.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
  const sentence = fill(says);
  return `${sentence}${sentence.includes('\n') ? '\n' : ' '}${fill(todo)}`;
}

/**
 * The process cannot start, for a known cause. The message is complete and contains no secret, so that processes print only the
 * message, without a stack.
 */
export class StartRefused extends Error {
  override readonly name: string = 'StartRefused';
  readonly exitCode: number;

  protected constructor(
    readonly causeName: StartCauseName,
    text: string,
    options?: ErrorOptions,
  ) {
    super(text, options);
    this.exitCode = START_CAUSES[causeName].exit ?? EXIT_CHANGE;
  }

  static because<Cause extends StartCauseName>(
    cause: Cause,
    facts: StartFacts<Cause>,
    options?: ErrorOptions,
  ): StartRefused {
    return new StartRefused(cause, startText(cause, facts), options);
  }
}

/** What a process prints when its start fails, and its exit code. An unknown error is a bug, so its stack is part of the text. */
export function lastWords(error: unknown): { text: string; exitCode: number } {
  if (error instanceof StartRefused) return { text: error.message, exitCode: error.exitCode };
  return { text: String(error instanceof Error ? (error.stack ?? error.message) : error), exitCode: 1 };
}
