import type { Supervisor } from '@landlord/sdk';
import type { NodeLine } from './state.js';

const KEPT = 60;

interface Measured {
  at: number;
  messagesIn: number | undefined;
  bytesIn: number | undefined;
  messages?: number;
  bytes?: number;
  history: readonly number[];
}

/** Remembers the last measurement of each node, because counters need two for a rate. */
export class Measurements {
  private readonly last = new Map<number, Measured>();

  linesOf(nodes: readonly Supervisor.NodeView[], metrics: readonly Supervisor.LatestMetricsView[]): NodeLine[] {
    return nodes.map(({ id, name, status, status_reason: reason }) => {
      const latest = metrics.find(({ node_id, runtime }) => node_id === id && runtime === 'broker');
      if (latest === undefined) return { id, name, status, reason, history: [] };
      const { messages, bytes, history } = this.measured(id, latest);
      const { cpu_percent, memory_bytes, disk_bytes, clients } = latest.metrics;
      return {
        ...{ id, name, status, reason, history },
        ...given({
          cpuPercent: cpu_percent,
          memoryBytes: memory_bytes,
          diskBytes: disk_bytes,
          clients,
          messages,
          bytes,
        }),
      };
    });
  }

  private measured(id: number, { at, metrics }: Supervisor.LatestMetricsView): Measured {
    const before = this.last.get(id);
    const time = Date.parse(at);
    if (before !== undefined && before.at >= time) return before;
    const seconds = before === undefined ? 0 : (time - before.at) / 1000;
    const { messages_in: messagesIn, bytes_in: bytesIn, cpu_percent: percent } = metrics;
    const measured = {
      ...{ at: time, messagesIn, bytesIn },
      ...given({
        messages: rate(before?.messagesIn, messagesIn, seconds),
        bytes: rate(before?.bytesIn, bytesIn, seconds),
      }),
      history: [...(before?.history ?? []), ...(percent === undefined ? [] : [percent])].slice(-KEPT),
    };
    this.last.set(id, measured);
    return measured;
  }
}

/** A counter begins again after a restart of its process. */
function rate(before: number | undefined, now: number | undefined, seconds: number): number | undefined {
  if (before === undefined || now === undefined || seconds <= 0 || now < before) return undefined;
  return (now - before) / seconds;
}

type Given<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> };

const given = <T extends object>(members: T): Given<T> =>
  Object.fromEntries(Object.entries(members).filter(([, one]) => one !== undefined)) as Given<T>;
