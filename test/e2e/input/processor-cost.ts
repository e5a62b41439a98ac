/** Requests of one sample: the clock of a process is too coarse for a single small one. */
const REPEATS = { small: 6, large: 2 };
const LARGE_LENGTH = 512 * 1024;
/** Only a cost above a limit is measured again. Beside other suites, all of a few measurements can be of a busy moment. */
const TRIES = 10;
/** Limit for the cost of a hostile body, as a multiple of the cost of parsing it. */
const MOST_TIMES_PARSING = 20;
/**
 * Limit for the cost of a body of double size, relative to the growth of the parsing cost. It admits linear work only.
 */
const MOST_OVER_PARSING = 1.3;
/**
 * Below this time, garbage collection and compilation dominate a sample: a plain request takes 2 to 3 ms in a young
 * process.
 */
const NOISE_SECONDS = 0.005;

/** Time for all tries of all bodies of one route, beside other suites. */
export const PATIENCE_OF_COSTS = 10 * 60_000;

/** Measures the processor time that bodies cost an app, from the counter that the app publishes. */
export class ProcessorCost {
  constructor(
    private readonly appUrl: string,
    /** Sends one body to the tested route, and waits for the answer. */
    private readonly send: (text: string) => Promise<unknown>,
  ) {}

  /**
   * Describes an excessive cost of a body or of its double; null when both are within the limits. Measures up to ten
   * times and uses the minimum: other work of the process can only add to a cost.
   */
  async excess(half: string, whole: string): Promise<string | null> {
    // A body of the same length that is refused at its first byte. Its cost is the cost of the transfer, without
    // validation.
    const bodies = { unread: 'x'.repeat(whole.length), half, whole };
    const least = { unread: Infinity, half: Infinity, whole: Infinity };
    const parsing = { half: Infinity, whole: Infinity };
    let found: string | null = null;
    for (let tried = 0; tried < TRIES; tried += 1) {
      for (const name of ['unread', 'half', 'whole'] as const)
        least[name] = Math.min(least[name], await this.secondsOf(bodies[name]));
      // A parse that other work slowed down would also be the measure of the other tries.
      for (const name of ['half', 'whole'] as const)
        parsing[name] = Math.min(parsing[name], parsingSeconds(bodies[name]));
      found = excessOf(least, parsing);
      if (found === null) return null;
    }
    return found;
  }

  /** Processor seconds of the app for one such request. */
  private async secondsOf(text: string): Promise<number> {
    const repeats = repeatsOf(text);
    const before = await this.processorSeconds();
    for (let sent = 0; sent < repeats; sent += 1) await this.send(text);
    return ((await this.processorSeconds()) - before) / repeats;
  }

  private async processorSeconds(): Promise<number> {
    const text = await (await fetch(`${this.appUrl}/metrics`)).text();
    return Number(/^process_cpu_seconds_total (\S+)/m.exec(text)?.[1]);
  }
}

type Sizes<Name extends string> = Readonly<Record<Name, number>>;

/** Describes the excess of these seconds; null for none. */
function excessOf({ unread, half, whole }: Sizes<'unread' | 'half' | 'whole'>, parsing: Sizes<'half' | 'whole'>) {
  const allowed = Math.max(NOISE_SECONDS, MOST_TIMES_PARSING * parsing.whole);
  if (whole - unread > allowed) return `${ms(whole - unread)} over a body that is no JSON, allowed are ${ms(allowed)}`;
  // JSON.parse of 100,000 levels is not linear: the garbage collector copies objects that live longer.
  const growth = MOST_OVER_PARSING * Math.max(2, parsing.whole / parsing.half);
  if (whole > Math.max(NOISE_SECONDS, growth * half))
    return `${ms(half)}, and ${ms(whole)} for the double, allowed are ${ms(growth * half)}`;
  return null;
}

/** Minimum of three measurements in this process, on the same machine as the app. */
function parsingSeconds(text: string): number {
  const repeats = repeatsOf(text);
  const samples = [1, 2, 3].map(() => {
    const before = process.cpuUsage();
    for (let repeat = 0; repeat < repeats; repeat += 1) JSON.parse(text);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1e6 / repeats;
  });
  return Math.min(...samples);
}

const ms = (seconds: number): string => `${(seconds * 1000).toFixed(2)} ms`;

function repeatsOf(text: string): number {
  return text.length < LARGE_LENGTH ? REPEATS.small : REPEATS.large;
}
