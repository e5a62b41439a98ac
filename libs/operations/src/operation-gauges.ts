import { Injectable } from '@nestjs/common';
import { Metrics, type Sample } from '@libs/http';
import { OperationGaugesRepository, type OpenOperations } from '@libs/persistence/platform';

/** Metrics of the workflow engine for Prometheus. They come from the database, so every process reports the same values. */
@Injectable()
export class OperationGauges {
  constructor(metrics: Metrics, gauges: OperationGaugesRepository) {
    const ofOpen = (value: (open: OpenOperations) => number) => async (): Promise<Sample[]> =>
      (await gauges.openUnscoped()).map((open) => ({
        labels: { type: open.type, step: open.step },
        value: value(open),
      }));
    const labels = ['type', 'step'];
    metrics.gauge({
      name: 'landlord_operations',
      help: 'Operations that have not ended, by type and step.',
      labels,
      read: ofOpen(({ operations }) => operations),
    });
    metrics.gauge({
      name: 'landlord_operation_step_age_seconds',
      help: 'How long the operation that stands there longest has been in its step.',
      labels,
      read: ofOpen(({ age_seconds }) => age_seconds),
    });
    metrics.gauge({
      name: 'landlord_operations_due',
      help: 'Operations that could move and that no worker has taken.',
      labels,
      read: ofOpen(({ due }) => due),
    });
    metrics.gauge({
      name: 'landlord_incidents',
      help: 'Open incidents, by kind: each waits for an operator.',
      labels: ['kind'],
      read: async () =>
        (await gauges.incidents()).map(({ kind, incidents }) => ({ labels: { kind }, value: incidents })),
    });
  }
}
