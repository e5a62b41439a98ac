import { Entity } from 'typeorm';
import { NodeMetricColumns } from './node-metric-columns.js';

/** The metrics of one runtime of a node within five minutes. */
@Entity('node_metric_rollups')
export class NodeMetricRollup extends NodeMetricColumns {}
