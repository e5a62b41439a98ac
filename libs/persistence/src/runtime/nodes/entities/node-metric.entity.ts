import { Entity } from 'typeorm';
import { NodeMetricColumns } from './node-metric-columns.js';

/** The metrics of one runtime of a node within one minute. */
@Entity('node_metrics')
export class NodeMetric extends NodeMetricColumns {}
