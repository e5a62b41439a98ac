import { reasonOf, type JsonLog } from '../../../os/json-log.js';
import type { AgentPart } from '@libs/domain';
import { GatewayError } from '../../agent-error.js';
import { ArtifactDamaged, type Artifact } from '../../artifacts/artifact.js';
import type { ArtifactStore } from '../../artifacts/artifact-store.js';
import { isFull } from '../../artifacts/durable-files.js';
import { Backoff } from '../../gateway/backoff.js';
import { Wakeup } from '../../../os/wakeup.js';
import type { ConnectorFolders } from './connector-folders.js';
import type { ConnectorPart } from './connector-parts.js';

const IDLE_MS = 600_000;
const SHORTEST_WAIT_MS = 250;

interface Failure {
  reason: string;
  backoff: Backoff;
  /** Time of the next attempt, in milliseconds of the epoch. */
  dueAt: number;
}

/** The installation does not have the artifact. */
class PartUnknown extends Error {}

/**
 * Brings the wanted parts into the folder for this agent, without a limit of time. Each part that fails is tried again after a wait
 * that grows, and does not delay the others.
 */
export class PartsReconciler {
  private wanted: readonly ConnectorPart[] = [];
  private readonly failures = new Map<string, Failure>();
  private readonly wakeup = new Wakeup();

  constructor(
    private readonly folders: ConnectorFolders,
    private readonly store: Pick<ArtifactStore, 'layOver' | 'prune'>,
    /** The parts of this agent that the installation has. */
    private readonly list: (signal: AbortSignal) => Promise<readonly AgentPart[]>,
    private readonly log: JsonLog,
    private readonly onChange: () => void,
  ) {}

  /** Replaces the wanted parts. Nothing is fetched while there are none. */
  want(parts: readonly ConnectorPart[]): void {
    const names = (all: readonly ConnectorPart[]): string => all.map(({ name }) => name).join(' ');
    if (names(parts) === names(this.wanted)) return;
    this.wanted = parts;
    this.wakeup.wakeUp();
  }

  /** Why the last attempt to bring the part failed. Null: there was no attempt, or it has not ended. */
  reasonFor({ name }: ConnectorPart): string | null {
    return this.failures.get(name)?.reason ?? null;
  }

  /** Runs until the signal aborts. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.pass(signal);
      await this.wakeup.sleep(this.untilNextAttempt(), signal);
    }
  }

  /** One attempt for each missing part that is due. */
  private async pass(signal: AbortSignal): Promise<void> {
    const { wanted } = this;
    this.forgetOthers(wanted);
    if (wanted.length === 0) return;
    let due = wanted.filter((part) => this.isDue(part));
    try {
      await this.folders.ensureOwn();
      const missing = await this.folders.missing(wanted);
      this.forgetOthers(missing);
      due = missing.filter((part) => this.isDue(part));
      if (due.length > 0) await this.bring(due, wanted, signal);
    } catch (error) {
      if (!signal.aborted) for (const part of due) this.fail(part, error);
    }
  }

  /** Keeps only the failures of these parts. */
  private forgetOthers(parts: readonly ConnectorPart[]): void {
    const names = new Set(parts.map(({ name }) => name));
    for (const name of this.failures.keys()) if (!names.has(name)) this.failures.delete(name);
  }

  private async bring(
    due: readonly ConnectorPart[],
    parts: readonly ConnectorPart[],
    signal: AbortSignal,
  ): Promise<void> {
    const listed = new Map((await this.list(signal)).map((part) => [part.name, part]));
    for (const part of due) {
      try {
        await this.layOver(part, listed.get(part.name), signal);
        this.failures.delete(part.name);
        this.log.info('a part of the connectors is here', { part: part.name });
        this.onChange();
      } catch (error) {
        if (signal.aborted) return;
        this.fail(part, error);
      }
    }
    // An archive that stays is not fetched again for the next agent, unless the part has changed.
    if (this.failures.size === 0) await this.store.prune(parts.flatMap(({ name }) => listed.get(name) ?? []));
  }

  private async layOver(part: ConnectorPart, artifact: Artifact | undefined, signal: AbortSignal): Promise<void> {
    if (artifact === undefined) throw new PartUnknown();
    await this.store.layOver(artifact, this.folders.own, part.entry, signal).catch((error: unknown) => {
      // The store moves the entry last.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      throw new ArtifactDamaged(`an artifact does not contain ${part.entry}`);
    });
  }

  private isDue({ name }: ConnectorPart): boolean {
    return (this.failures.get(name)?.dueAt ?? 0) <= Date.now();
  }

  private fail(part: ConnectorPart, error: unknown): void {
    const reason = sentenceOf(part, error);
    const { backoff = new Backoff() } = this.failures.get(part.name) ?? {};
    const waitMs = SHORTEST_WAIT_MS + backoff.next(error instanceof GatewayError ? error.retryAfterMs : null);
    this.failures.set(part.name, { reason, backoff, dueAt: Date.now() + waitMs });
    this.log.warn('a part of the connectors is missing', { part: part.name, reason, retry_ms: Math.round(waitMs) });
    this.onChange();
  }

  private untilNextAttempt(): number {
    const waits = [...this.failures.values()].map(({ dueAt }) => dueAt - Date.now());
    return Math.max(Math.min(IDLE_MS, ...waits), 10);
  }
}

function sentenceOf({ title, name }: ConnectorPart, error: unknown): string {
  if (error instanceof PartUnknown)
    return `the installation has no artifact ${name} for the agent of this node; the operator runs "npm run artifacts"`;
  if (error instanceof ArtifactDamaged) return `the artifact of ${title} is damaged: ${error.message}`;
  if (isFull(error)) return `the disk of the node is full: ${title} has no space`;
  return `the node cannot get ${title}: ${reasonOf(error)}`;
}
