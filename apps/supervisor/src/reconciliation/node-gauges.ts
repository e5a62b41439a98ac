import { Inject, Injectable } from '@nestjs/common';
import { operationsQueue } from '@libs/domain';
import { Metrics } from '@libs/http';
import { ReachabilityRepository } from '@libs/persistence/runtime';
import { WakeUpQueue } from '@libs/queue';
import { SUPERVISOR_CONFIG, type SupervisorConfig } from '../config.js';

/** Prometheus gauges of the nodes and the queue of the cell. */
@Injectable()
export class NodeGauges {
  constructor(
    metrics: Metrics,
    reachability: ReachabilityRepository,
    wakeUps: WakeUpQueue,
    @Inject(SUPERVISOR_CONFIG) { SUPERVISOR_CELL: cell }: SupervisorConfig,
  ) {
    const gauge = (name: string, help: string, value: 'nodes' | 'lag_seconds' | 'behind'): void =>
      metrics.gauge({
        name,
        help,
        labels: ['status'],
        read: async () =>
          (await reachability.lag(cell)).map((row) => ({ labels: { status: row.status }, value: row[value] })),
      });
    gauge('landlord_nodes', 'Nodes of the cell, by status.', 'nodes');
    gauge('landlord_agent_lag_seconds', 'How long ago the most silent agent was heard of, by status.', 'lag_seconds');
    gauge('landlord_nodes_behind', 'Nodes that have not applied their newest document, by status.', 'behind');
    metrics.gauge({
      name: 'landlord_queue_depth',
      help: 'Jobs with wake-ups that no worker of the cell has processed yet.',
      labels: ['queue'],
      read: async () => {
        const queue = operationsQueue(cell);
        return [{ labels: { queue }, value: await wakeUps.depth(queue) }];
      },
    });
  }
}
