import { EXIT_CHANGE } from './start-cause.js';
import { START_CAUSES, type StartCauseName, type StartFacts } from './start-causes.js';

/** The message and the necessary change, as one text for a person. */
export function startText<Cause extends StartCauseName>(cause: Cause, facts: StartFacts<Cause>): string {
  const sentence = startSentence(cause, facts);
  return `${sentence}${sentence.includes('\n') ? '\n' : ' '}${fill(START_CAUSES[cause].todo, facts)}`;
}

/** The message of a cause alone. Facts that only the necessary change names may be missing. */
export const startSentence = <Cause extends StartCauseName>(cause: Cause, facts: Partial<StartFacts<Cause>>): string =>
  fill(START_CAUSES[cause].says, facts);

const fill = (text: string, facts: Record<string, string | undefined>): string =>
  text.replaceAll(/\{(\w+)\}/g, (_, name: string) => facts[name] ?? '');

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
