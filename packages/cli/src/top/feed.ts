import { setTimeout as pause } from 'node:timers/promises';
import { LandlordError, UnauthenticatedError, type Landlord, type Supervisor } from '@landlord/sdk';
import { Measurements } from './measurements.js';
import type { Pane, State } from './state.js';

const READ_AGAIN_MS = 2_000;
/** An attempt is short, because the next one comes soon. */
const ATTEMPT = { timeoutMs: 5_000, retries: 0 };
const MOST_DEPLOYMENTS = 500;
const PAGE = 100;
const OPERATIONS = 50;
const KEPT_LINES = 500;

/** Reads what the screen shows, and goes on when an API does not answer. */
export class Feed {
  private readonly measurements = new Measurements();
  private selection = new AbortController();

  constructor(
    private readonly landlord: Landlord,
    private readonly state: State,
    private readonly onChange: () => void,
    private readonly signal: AbortSignal,
  ) {}

  /** Until the signal. @throws UnauthenticatedError, because another attempt cannot help */
  async run(): Promise<void> {
    await Promise.all([
      this.repeatedly(
        () => this.signal,
        () => this.organization(),
      ),
      this.repeatedly(
        () => this.selected(),
        () => this.live(),
      ),
      this.logs(),
    ]);
  }

  /** Reads the data of another deployment at once. */
  selectionChanged(): void {
    this.selection.abort();
    this.selection = new AbortController();
  }

  /** Ends with the feed, and with the selection. */
  private selected(): AbortSignal {
    return AbortSignal.any([this.signal, this.selection.signal]);
  }

  /** @param work returns how many times longer than usual the pause is */
  private async repeatedly(signalOf: () => AbortSignal, work: () => Promise<number>): Promise<void> {
    while (!this.signal.aborted) {
      const signal = signalOf();
      const times = await work();
      this.onChange();
      await pause(READ_AGAIN_MS * times, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Returns the number of pages: a large organization is read less often, because a key has a limit of requests. */
  private async organization(): Promise<number> {
    const before = this.state.selectedId;
    const options = { ...ATTEMPT, signal: this.signal };
    await this.attempt('deployments', 'The main API', async () => {
      const deployments = [];
      for await (const one of this.landlord.deployments.listAll({ results: PAGE }, options)) {
        deployments.push(one);
        if (deployments.length >= MOST_DEPLOYMENTS) break;
      }
      const { items } = await this.landlord.operations.list({ results: OPERATIONS }, options);
      this.state.takeDeployments(deployments);
      this.state.operations = items;
    });
    if (this.state.selectedId !== before) this.selectionChanged();
    return Math.max(1, Math.ceil(this.state.deployments.length / PAGE));
  }

  private async live(): Promise<number> {
    const { selectedId: deployment_id } = this.state;
    if (deployment_id === null) return 1;
    const options = { ...ATTEMPT, signal: this.selected() };
    await this.attempt('nodes', 'The Supervisor', async () => {
      const [{ nodes }, metrics] = await Promise.all([
        this.landlord.runtime.get({ deployment_id }, options),
        this.landlord.nodeMetrics.getLatest({ deployment_id }, options),
      ]);
      if (this.state.selectedId === deployment_id) this.state.nodes = this.measurements.linesOf(nodes, metrics);
    });
    return 1;
  }

  /** New lines come over a stream. After a broken stream, the last lines are read again. */
  private async logs(): Promise<void> {
    while (!this.signal.aborted) {
      const [signal, { selectedId }] = [this.selected(), this.state];
      if (selectedId !== null) await this.attempt('logs', 'The Supervisor', () => this.follow(selectedId, signal));
      this.onChange();
      if (!signal.aborted) await pause(READ_AGAIN_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  private async follow(deployment_id: number, signal: AbortSignal): Promise<void> {
    const options = { ...ATTEMPT, signal };
    const { items } = await this.landlord.logs.list({ deployment_id, results: PAGE }, options);
    this.take(deployment_id, [...items].reverse());
    const [newest] = items;
    // The stream continues after the line, so that no line is missing.
    const from = newest === undefined ? {} : { lastEventId: String(newest.id) };
    const stream = this.landlord.logs.stream({ deployment_id }, { signal, retries: 0, ...from });
    for await (const { data } of stream) this.take(deployment_id, [...this.state.logs, data]);
  }

  private take(deployment_id: number, lines: readonly Supervisor.LogLineView[]): void {
    if (this.state.selectedId !== deployment_id) return;
    delete this.state.problems.logs;
    this.state.logs = lines.slice(-KEPT_LINES);
    this.onChange();
  }

  /** Shows why the work could not be done. */
  private async attempt(pane: Pane, who: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
      delete this.state.problems[pane];
    } catch (error) {
      // Another selection, or the end.
      if (this.signal.aborted || (error as Error).name === 'AbortError') return;
      if (error instanceof UnauthenticatedError || !(error instanceof LandlordError)) throw error;
      const isRefusal = 'code' in error;
      this.state.problems[pane] = isRefusal
        ? error.message
        : `${who} does not answer. Trying again. (${error.message})`;
    }
  }
}
