import { findNatsServer } from '@libs/host/programs';
import { skippedSuite, type Suite } from './skips.js';

/** The nats-server for tests: NATS_SERVER_BIN, otherwise the one from `npm run broker:nats`, otherwise the one in PATH. */
export const NATS_SERVER = await findNatsServer({
  given: process.env['NATS_SERVER_BIN'],
  dataDir: '.landlord',
  path: process.env['PATH'] ?? '',
});

/** A suite that needs a real nats-server. On a machine without one, the suite is skipped. */
export const describeWithNats: Suite =
  NATS_SERVER === null
    ? skippedSuite('nats-server is missing', 'Run "npm run broker:nats", or set NATS_SERVER_BIN')
    : describe;
