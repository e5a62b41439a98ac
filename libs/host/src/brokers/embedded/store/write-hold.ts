import type { ClassicLevel } from 'classic-level';

type Write = (...args: unknown[]) => Promise<void>;
type Writer = Record<(typeof WRITES)[number], Write>;

const WRITES = ['put', 'del', 'clear', 'batch'] as const;

/** Blocks the writes of a store for a moment. Reads continue. */
export class WriteHold {
  private underWay = 0;
  private hold: Promise<void> | null = null;
  private onQuiet: (() => void) | null = null;

  constructor(store: ClassicLevel) {
    const writer = store as unknown as Writer;
    for (const name of WRITES) {
      const write = writer[name].bind(store);
      writer[name] = (...args) => {
        const isChain = name === 'batch' && args.length === 0;
        return isChain ? this.heldChain(write) : this.written(() => write(...args));
      };
    }
  }

  /** Runs `work` while nothing is being written. Writers wait during that time. Runs one `work` at a time. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    while (this.hold) await this.hold;
    let goOn = (): void => undefined;
    this.hold = new Promise((resolve) => (goOn = resolve));
    try {
      if (this.underWay > 0) await new Promise<void>((resolve) => (this.onQuiet = resolve));
      return await work();
    } finally {
      this.hold = null;
      this.onQuiet = null;
      goOn();
    }
  }

  /** `batch` without operations starts a chain, which writes at its end. */
  private heldChain(begin: Write): Promise<void> {
    const chain = begin() as unknown as { write: Write };
    const write = chain.write.bind(chain);
    chain.write = (...args) => this.written(() => write(...args));
    return chain as unknown as Promise<void>;
  }

  private async written(write: () => Promise<void>): Promise<void> {
    while (this.hold) await this.hold;
    this.underWay += 1;
    try {
      await write();
    } finally {
      this.underWay -= 1;
      if (this.underWay === 0) this.onQuiet?.();
    }
  }
}
