import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { BrokerError } from '../../control/broker-error.js';
import type { Address } from '../../gate/gate-upstream.js';
import type { JsonLog } from '../../os/json-log.js';
import { endProcesses } from '../../os/end-processes.js';
import {
  apiPortIn,
  isRefusal,
  loadedIn,
  PanicReader,
  parseLine,
  type Panic,
  type RuntimeLine,
} from './runtime-lines.js';

const LOOPBACK = '127.0.0.1';
/** Equal messages within this time are one line of the log. A source at its end repeats one many times a second. */
const REPEAT_MS = 60_000;
const MOST_REMEMBERED = 200;
/** The lines of this part of the runtime contain the first characters of the token. */
const LOG_FILTER = 'info,iggy_connectors::stream=warn';

/** Where and how iggy-connectors runs. */
export interface RuntimePlace {
  /** Absolute path of the program. */
  program: string;
  /** Folders of shared libraries in the form of LD_LIBRARY_PATH. Absent: those of the system. */
  libraries?: string | undefined;
  /** Its name in the list of processes, by which it is found. */
  name: string;
  dir: string;
  configFile: string;
  environmentFile: string;
}

/** What the owner of the process wants to know at once. */
export interface RuntimeEvents {
  line(line: RuntimeLine): void;
  panic(panic: Panic): void;
}

/** One iggy-connectors process, in its own session. Its output goes to the log of the connectors, with levels. */
export class RuntimeProcess {
  readonly startedAtMs = Date.now();
  /** The address of its HTTP API. Null until it listens. */
  api: Address | null = null;
  /** How the process ended. Null while it runs. */
  ended: string | null = null;
  /** The connector that it loads, before it listens. */
  private loads: string | null = null;
  private lastError: string | null = null;
  private readonly panics = new PanicReader();
  private readonly told = new Map<string, number>();

  private constructor(
    private readonly child: ChildProcess,
    private readonly log: JsonLog,
    private readonly events: RuntimeEvents,
  ) {
    child.once('error', ({ message }) => (this.ended ??= message));
    // Not `exit`: its last words may still be in the pipe.
    child.once('close', (code, signal) => (this.ended ??= this.lastError ?? `it ended with ${signal ?? code}`));
    this.read(child.stdout, (line) => this.hear(line));
    this.read(child.stderr, (line) => this.hearError(line));
    child.unref();
  }

  /** Ends a process of the same name first, which an earlier owner left. */
  static async start(place: RuntimePlace, log: JsonLog, events: RuntimeEvents): Promise<RuntimeProcess> {
    await endProcesses({ name: place.name }, { graceMs: 0 });
    const env = {
      IGGY_CONNECTORS_CONFIG_PATH: place.configFile,
      IGGY_CONNECTORS_ENV_PATH: place.environmentFile,
      RUST_LOG: LOG_FILTER,
      ...(place.libraries !== undefined && { LD_LIBRARY_PATH: place.libraries }),
    };
    const options = { argv0: place.name, cwd: place.dir, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] };
    return new RuntimeProcess(spawn(place.program, [], options as never), log, events);
  }

  /** The key of the connector that ended the start. Null while the process runs, and after other ends. */
  get refused(): string | null {
    return this.api === null && isRefusal(this.ended ?? '') ? this.loads : null;
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  private read(stream: Readable | null, take: (line: string) => void): void {
    if (stream === null) throw new BrokerError('the output of iggy-connectors is missing');
    createInterface({ input: stream }).on('line', take);
  }

  private hear(raw: string): void {
    const line = parseLine(raw);
    if (line === null) return;
    const port = apiPortIn(line.text);
    if (port !== null) this.api = { host: LOOPBACK, port };
    this.loads = loadedIn(line.text) ?? this.loads;
    if (line.level === 'error') this.lastError = line.text;
    this.events.line(line);
    this.tell(line);
  }

  private hearError(raw: string): void {
    if (raw.trim() === '') return;
    const panic = this.panics.read(raw);
    if (panic) {
      this.lastError = panic.message;
      this.events.panic(panic);
    } else if (/^Error: /.test(raw)) this.lastError = raw;
    this.tell({ level: 'error', text: raw, connector: null });
  }

  private tell({ level, text }: RuntimeLine): void {
    if (level === 'debug' || Date.now() - (this.told.get(text) ?? 0) < REPEAT_MS) return;
    this.told.delete(text);
    this.told.set(text, Date.now());
    const [oldest] = this.told.keys();
    if (this.told.size > MOST_REMEMBERED && oldest !== undefined) this.told.delete(oldest);
    this.log[level](text);
  }
}
