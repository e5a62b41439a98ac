/** Requests of one sample: the clock of a process is too coarse for a single one. */
const REPEATS = 6;
const TRIES = 3;
/** A hostile body may cost so many times what parsing it costs. */
const MOST_TIMES_PARSING = 20;
/** A body of double size may cost so many times what the body costs, over the growth of parsing it: the double of linear work. */
const MOST_OVER_PARSING = 1.3;
/** Below this, garbage collection and compilation decide what a sample shows: a plain request takes 2 to 3 ms in a young process. */
const NOISE_SECONDS = 0.005;

/** What bodies cost the processor of an app, by the count that the app itself publishes. */
export class ProcessorCost {
  constructor(
    private readonly appUrl: string,
    /** Sends one body to the route that is judged, and waits for the answer. */
    private readonly send: (text: string) => Promise<unknown>,
  ) {}

  /**
   * What is wrong with the cost of a body and of its double; null when it is within its bounds. Looks again up to three times
   * and judges the least of each: what else happens in the process only adds to a cost.
   */
  async excess(half: string, whole: string): Promise<string | null> {
    // As many bytes, refused at the first of them: what they cost on their way is not what the judgement costs.
    const bodies = { unread: 'x'.repeat(whole.length), half, whole };
    const least = { unread: Infinity, half: Infinity, whole: Infinity };
    const parsing = { half: parsingSeconds(half), whole: parsingSeconds(whole) };
    let found: string | null = null;
    for (let tried = 0; tried < TRIES; tried += 1) {
      for (const name of ['unread', 'half', 'whole'] as const)
        least[name] = Math.min(least[name], await this.secondsOf(bodies[name]));
      found = excessOf(least, parsing);
      if (found === null) return null;
    }
    return found;
  }

  /** Seconds of the processor that one such request takes the app. */
  private async secondsOf(text: string): Promise<number> {
    const before = await this.processorSeconds();
    for (let sent = 0; sent < REPEATS; sent += 1) await this.send(text);
    return ((await this.processorSeconds()) - before) / REPEATS;
  }

  private async processorSeconds(): Promise<number> {
    const text = await (await fetch(`${this.appUrl}/metrics`)).text();
    return Number(/^process_cpu_seconds_total (\S+)/m.exec(text)?.[1]);
  }
}

type Sizes<Name extends string> = Readonly<Record<Name, number>>;

/** What is wrong with these seconds; null for nothing. */
function excessOf({ unread, half, whole }: Sizes<'unread' | 'half' | 'whole'>, parsing: Sizes<'half' | 'whole'>) {
  const allowed = Math.max(NOISE_SECONDS, MOST_TIMES_PARSING * parsing.whole);
  if (whole - unread > allowed) return `${ms(whole - unread)} over a body that is no JSON, allowed are ${ms(allowed)}`;
  // JSON.parse of 100,000 levels is not linear itself: the garbage collector copies what lives longer.
  const growth = MOST_OVER_PARSING * Math.max(2, parsing.whole / parsing.half);
  if (whole > Math.max(NOISE_SECONDS, growth * half))
    return `${ms(half)}, and ${ms(whole)} for the double, allowed are ${ms(growth * half)}`;
  return null;
}

/** The best of three, in this process: the machine is the same. */
function parsingSeconds(text: string): number {
  const samples = [1, 2, 3].map(() => {
    const before = process.cpuUsage();
    for (let repeat = 0; repeat < REPEATS; repeat += 1) JSON.parse(text);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1e6 / REPEATS;
  });
  return Math.min(...samples);
}

const ms = (seconds: number): string => `${(seconds * 1000).toFixed(2)} ms`;
