import { IGGY_RELEASE, IGGY_SERVER, skippedSuite, startIggy } from '@libs/testing';
import { hasSettings } from '../broker-tables.js';
import { validateValues } from '../validate-values.js';

const describeWithPreRelease = IGGY_RELEASE.startsWith('0.9.0-')
  ? describe
  : skippedSuite('a pre-release of iggy-server 0.9 is missing', 'Set IGGY_SERVER_BIN to its path');

describeWithPreRelease('A pre-release of iggy 0.9', () => {
  it('ignores the keys of the stable release and uses another directory, so it has no settings', async () => {
    const { started, report } = await startIggy(IGGY_SERVER ?? '', { path: 'elsewhere', 'logging.level': 'warn' });

    expect(started).toBe(true);
    expect(report).toMatchObject({ 'system.path': 'local_data', 'system.logging.level': 'info' });
    expect(report).not.toHaveProperty(['path']);
    expect(hasSettings('iggy', IGGY_RELEASE)).toBe(false);
    expect(validateValues('iggy', IGGY_RELEASE, { 'logging.level': 'warn' })).toMatchObject([{ code: 'unknown_key' }]);
  });
});
