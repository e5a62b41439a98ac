import { METRIC_NAMES, METRICS, NODE_RUNTIMES, type MetricValues } from '@libs/domain';
import { ApiId } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';

const MetricsMember = (description: string): PropertyDecorator =>
  ApiProperty({
    type: 'object',
    properties: Object.fromEntries(
      METRIC_NAMES.map((name) => [name, { type: 'number', description: METRICS[name].help }]),
    ),
    description,
  });

/** What a runtime of a node told last. */
export class LatestMetricsView {
  @ApiId('The node.')
  node_id: number;

  @ApiProperty({ type: 'string', description: 'Name of the node.' })
  node: string;

  @ApiProperty({ enum: [...NODE_RUNTIMES] })
  runtime: string;

  @ApiProperty({ type: 'string', format: 'date-time', description: 'When it told so.' })
  at: string;

  @ApiProperty({ type: 'boolean', description: 'Whether the node was heard of lately; else the values are old.' })
  reachable: boolean;

  @MetricsMember('What is known; what its driver does not tell is absent.')
  metrics: MetricValues;
}

/** One step of a series. */
export class MetricPointView {
  @ApiProperty({ type: 'string', format: 'date-time', description: 'Where the step begins.' })
  at: string;

  @MetricsMember('Averages of gauges and last values of counters within the step; what nobody told is absent.')
  metrics: MetricValues;
}

/** Metrics of a runtime over time. Steps of which nothing is known are left out. */
export class MetricSeriesView {
  @ApiId('The node.')
  node_id: number;

  @ApiProperty({ enum: [...NODE_RUNTIMES] })
  runtime: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  from: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  to: string;

  @ApiProperty({ type: 'integer', description: 'Seconds from one point to the next.' })
  step: number;

  @ApiProperty({ type: [MetricPointView], description: 'Oldest first.' })
  points: MetricPointView[];
}
