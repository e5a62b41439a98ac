import { skippedSuite, type Suite } from '../skips.js';
import { iggyRelease } from './iggy-start.mjs';

/** The iggy-server of a line that Landlord is not proven with. Empty without one. */
export const UNPROVEN_IGGY_SERVER = process.env['IGGY_UNPROVEN_BIN'] ?? '';

/** Its release. Empty without one. */
export const UNPROVEN_IGGY_RELEASE = UNPROVEN_IGGY_SERVER === '' ? '' : iggyRelease(UNPROVEN_IGGY_SERVER);

/** The settings of a Supervisor whose new deployments use it. */
export const UNPROVEN_IGGY_SETTINGS: Record<string, string> = {
  LOCAL_BROKER: 'iggy',
  IGGY_SERVER_BIN: UNPROVEN_IGGY_SERVER,
  IGGY_CONNECTORS_BIN: '',
  IGGY_UNPROVEN_RELEASES: 'true',
};

/** A suite that needs a pre-release of iggy-server 0.9. On a machine without one, the suite is skipped. */
export const describeWithUnprovenIggy: Suite = UNPROVEN_IGGY_RELEASE.startsWith('0.9.0-')
  ? describe
  : skippedSuite('a pre-release of iggy-server 0.9 is missing', 'Set IGGY_UNPROVEN_BIN to its path');
