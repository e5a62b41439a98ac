import type { LogRow } from '@libs/persistence/runtime';
import type { LogLineView } from './dto/log-line.view.js';

export const toLogLine = ({ id, node_id, at, runtime, level, message }: LogRow): LogLineView => ({
  id,
  node_id,
  at: at.toISOString(),
  runtime,
  level,
  message,
});
