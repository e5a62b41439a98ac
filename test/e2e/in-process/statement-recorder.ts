import pg from 'pg';

/** A statement as it was sent to PostgreSQL. */
export interface SentStatement {
  name: string;
  text: string;
  values: unknown[];
}

/** Statements that the processes send periodically, independent of requests. */
const AT_ITS_OWN_TIME = /^(cell|cell_process|api_key|notification)\b.*\.?(announce|forget|used|use|touch)/;

type Query = (this: unknown, ...args: unknown[]) => unknown;
/** The class of the driver, with the one method that the recorder replaces. */
const driver = pg.Client.prototype as unknown as { query: Query };

/** Records every statement of this process at the driver, below all code that sends statements. */
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

  /** Returns the statements that are sent while `work` runs. Use it for one call at a time. */
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
