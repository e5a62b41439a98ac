import pg from 'pg';

/** A statement as it left for PostgreSQL. */
export interface SentStatement {
  name: string;
  text: string;
  values: unknown[];
}

/** What the processes do at their own time, whether or not somebody asks for something. */
const AT_ITS_OWN_TIME = /^(cell|cell_process|api_key|notification)\b.*\.?(announce|forget|used|use|touch)/;

type Query = (this: unknown, ...args: unknown[]) => unknown;
/** The driver's class, as far as it is watched. */
const driver = pg.Client.prototype as unknown as { query: Query };

/** Sees every statement of this process at the driver, below whatever sends it. */
export class StatementRecorder {
  private readonly original = driver.query;
  private sent: SentStatement[] = [];

  private constructor() {
    const { original } = this;
    const note = (query: unknown): void => this.note(query);
    driver.query = function (this: unknown, ...args: unknown[]): unknown {
      note(args[0]);
      return original.apply(this, args);
    };
  }

  static start(): StatementRecorder {
    return new StatementRecorder();
  }

  stop(): void {
    driver.query = this.original;
  }

  /** What is sent while `work` runs; one thing at a time. */
  async during(work: () => Promise<unknown>): Promise<SentStatement[]> {
    this.sent = [];
    await work();
    return this.sent.filter(({ name }) => !AT_ITS_OWN_TIME.test(name));
  }

  private note(query: unknown): void {
    const { name, text, values } = (typeof query === 'string' ? { text: query } : query) as Partial<SentStatement>;
    this.sent.push({ name: name ?? text ?? '', text: text ?? '', values: values ?? [] });
  }
}
