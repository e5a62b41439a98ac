import { describeWithUnprovenIggy, startIggy, UNPROVEN_IGGY_RELEASE, UNPROVEN_IGGY_SERVER } from '@libs/testing';
import { hasSettings } from '../broker-tables.js';
import { validateValues } from '../validate-values.js';

describeWithUnprovenIggy('A pre-release of iggy 0.9', () => {
  it('ignores the keys of the stable release and uses another directory, so it has no settings', async () => {
    const { started, report } = await startIggy(UNPROVEN_IGGY_SERVER, { path: 'elsewhere', 'logging.level': 'warn' });

    expect(started).toBe(true);
    expect(report).toMatchObject({ 'system.path': 'local_data', 'system.logging.level': 'info' });
    expect(report).not.toHaveProperty(['path']);
    expect(hasSettings('iggy', UNPROVEN_IGGY_RELEASE)).toBe(false);
    expect(validateValues('iggy', UNPROVEN_IGGY_RELEASE, { 'logging.level': 'warn' })).toMatchObject([
      { code: 'unknown_key' },
    ]);
  });
});
