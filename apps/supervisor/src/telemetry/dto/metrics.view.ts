import { METRIC_NAMES, METRICS, NODE_RUNTIMES, type MetricValues } from '@libs/domain';
import { ApiTime, ApiId, Resource } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';

const MetricsMember = (description: string): PropertyDecorator =>
  ApiProperty({
    type: 'object',
    properties: Object.fromEntries(
      METRIC_NAMES.map((name) => [name, { type: 'number', description: METRICS[name].help }]),
    ),
    description,
  });

/** The last reported values of a node's runtime. */
@Resource<LatestMetricsView>({ columns: ['node_id', 'node', 'runtime', 'reachable', 'at'] })
export class LatestMetricsView {
  @ApiId('The node.')
  node_id: number;

  @ApiProperty({ type: 'string', description: 'Name of the node.' })
  node: string;

  /** The runtime that reported the values. */
  @ApiProperty({ enum: [...NODE_RUNTIMES] })
  runtime: string;

  @ApiTime('Time of the report.')
  at: string;

  @ApiProperty({ type: 'boolean', description: 'True when the node reported recently. Otherwise the values are old.' })
  reachable: boolean;

  @MetricsMember('Known values. A value that the broker driver does not report is absent.')
  metrics: MetricValues;
}

/** One step of a series of metrics. */
export class MetricPointView {
  @ApiTime('Start of the step.')
  at: string;

  @MetricsMember(
    'Averages of gauges and last values of counters within the step. A value that was not reported is absent.',
  )
  metrics: MetricValues;
}

/** Metrics of a runtime over time. Steps without values are left out. */
export class MetricSeriesView {
  @ApiId('The node.')
  node_id: number;

  /** The runtime that reported the metrics. */
  @ApiProperty({ enum: [...NODE_RUNTIMES] })
  runtime: string;

  /** Start of the window, inclusive. */
  @ApiTime()
  from: string;

  /** End of the window, exclusive. */
  @ApiTime()
  to: string;

  @ApiProperty({ type: 'integer', description: 'Seconds between two points.' })
  step: number;

  @ApiProperty({ type: [MetricPointView], description: 'Oldest first.' })
  points: MetricPointView[];
}
