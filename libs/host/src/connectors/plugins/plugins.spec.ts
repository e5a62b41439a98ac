import { connectorCatalogue } from '@libs/broker-config';
import { BUILT_IN_KEYS } from './plugins.js';

describe('the plugins of a node', () => {
  it.each(['sink', 'source'] as const)('are exactly those that the catalogue lists as available: %s', (type) => {
    const available = connectorCatalogue({ driver: 'embedded', release: '1.2.0' }).filter(
      (one) => one.type === type && one.available,
    );
    expect([...BUILT_IN_KEYS[type]].sort()).toEqual(available.map(({ key }) => key).sort());
  });
});
