import { findNatsServer } from '@libs/cloud';

/** The nats-server that tests run: NATS_SERVER_BIN, what `npm run broker:nats` fetched into this checkout, or the path's. */
export const NATS_SERVER = await findNatsServer({
  given: process.env['NATS_SERVER_BIN'],
  dataDir: '.landlord',
  path: process.env['PATH'] ?? '',
});

/** A suite that needs a real nats-server; on a machine without one it is skipped, and says so. */
export const describeWithNats: typeof describe = NATS_SERVER === null ? skipped() : describe;

function skipped(): typeof describe.skip {
  process.stderr.write('Skipped, for there is no nats-server: run "npm run broker:nats", or set NATS_SERVER_BIN.\n');
  return describe.skip;
}
