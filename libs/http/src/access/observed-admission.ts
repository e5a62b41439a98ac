import { Logger } from '@nestjs/common';
import { ConnectionAdmission, cutNotices, type AppListener, type ConnectionLimits } from '@libs/domain/admission';
import type { Metrics } from '../metrics/metrics.js';

/** The admission of a listener of this process. A limit that applies is counted, and the log says so once a minute. */
export function observedAdmission(
  listener: AppListener,
  limits: ConnectionLimits,
  metrics: Metrics,
): ConnectionAdmission {
  const logger = new Logger('Connections');
  const say = cutNotices((notice) => logger.warn({ listener, ...notice }, 'connections above a limit were closed'));
  const admission = new ConnectionAdmission(limits, (reason, party) => {
    metrics.countCut(listener, reason);
    say(reason, party);
  });
  metrics.watchConnections(listener, admission);
  return admission;
}
