import { Injectable } from '@nestjs/common';
import type { ConnectionAdmission, CutReason } from '@libs/domain/admission';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** One value of a gauge with its labels. */
export interface Sample {
  labels: Record<string, string>;
  value: number;
}

export interface GaugeSpec {
  /** Starts with `landlord_`. The unit is the last word. */
  name: string;
  help: string;
  labels: readonly string[];
  /** Called at each scrape. A sample that is missing from the result is removed from the gauge. */
  read: () => Promise<readonly Sample[]>;
}

/** Seconds. */
const BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** The metrics of this process in the Prometheus format. Modules add their gauges; requests of all routes are counted here. */
@Injectable()
export class Metrics {
  private readonly registry = new Registry();
  private readonly requests: Histogram<'method' | 'route' | 'status'>;
  private readonly cuts: Counter<'listener' | 'reason'>;
  /** Those of this process, by the name of their listener. */
  private readonly admissions = new Map<string, ConnectionAdmission>();
  private isRead = false;

  constructor() {
    this.requests = new Histogram({
      name: 'landlord_http_request_seconds',
      help: 'Time from the first byte of a request to the last of its answer, by route.',
      labelNames: ['method', 'route', 'status'],
      buckets: BUCKETS,
      registers: [this.registry],
    });
    this.cuts = new Counter({
      name: 'landlord_connections_cut_total',
      help: 'Connections that a limit of connections closed, by listener and limit.',
      labelNames: ['listener', 'reason'],
      registers: [this.registry],
    });
    this.gauge({
      name: 'landlord_connections',
      help: 'Open connections, by listener. `unknown`: before sign-in. `waiting`: not served yet.',
      labels: ['listener', 'standing'],
      read: async () =>
        [...this.admissions].flatMap(([listener, { counts }]) =>
          Object.entries(counts).map(([standing, value]) => ({ labels: { listener, standing }, value })),
        ),
    });
  }

  readonly contentType = Registry.PROMETHEUS_CONTENT_TYPE;

  /**
   * A gauge that is read from its source at each scrape. A gauge that cannot be read is left out instead of showing an
   * old value.
   */
  gauge({ name, help, labels, read }: GaugeSpec): void {
    new Gauge({
      name,
      help,
      labelNames: [...labels],
      registers: [this.registry],
      async collect() {
        this.reset();
        for (const sample of await read().catch(() => [])) this.set(sample.labels, sample.value);
      },
    });
  }

  /** A counter of this process. Returns the function that adds to it, by default one. */
  counter<Label extends string>(
    name: string,
    help: string,
    labels: readonly Label[],
  ): (values: Record<Label, string>, more?: number) => void {
    const counter = new Counter({ name, help, labelNames: [...labels], registers: [this.registry] });
    return (values, more = 1) => counter.inc(values, more);
  }

  /** Shows the connections of a listener. */
  watchConnections(listener: string, admission: ConnectionAdmission): void {
    this.admissions.set(listener, admission);
  }

  countCut(listener: string, reason: CutReason): void {
    this.cuts.inc({ listener, reason });
  }

  /** `route` is the template, not the path: each id would create its own series. */
  observeRequest(method: string, route: string, status: number, seconds: number): void {
    this.requests.observe({ method, route, status: String(status) }, seconds);
  }

  /**
   * The exposition text. The metrics of Node begin with the first call: they measure the delays of the event loop with a
   * timer of 10 ms, which is most of what an idle process does.
   */
  render(): Promise<string> {
    if (!this.isRead) collectDefaultMetrics({ register: this.registry });
    this.isRead = true;
    return this.registry.metrics();
  }
}
