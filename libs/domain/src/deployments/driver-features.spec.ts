import { featuresLeft, featuresOfDrivers, weakestFeatures } from './driver-features.js';

const CLOUD = { dedicated: 'real', private_networking: 'played', proxy_protocol: 'real', backup: 'real' } as const;
const BROKER = {
  encryption: 'real',
  rate_limit: 'real',
  proxy_protocol: 'none',
  replication: 'none',
  backup: 'real',
} as const;

describe('The features of a deployment', () => {
  it('are what both drivers do, by the weaker of the two', () => {
    expect(featuresOfDrivers(CLOUD, BROKER)).toEqual({
      ...{ encryption: 'real', rate_limit: 'real', dedicated: 'real', private_networking: 'played' },
      ...{ proxy_protocol: 'none', replication: 'none', backup: 'real' },
    });
  });

  it('are none where nobody has declared them', () => {
    expect(new Set(Object.values(weakestFeatures([{}, BROKER])))).toEqual(new Set(['none']));
    expect(new Set(Object.values(weakestFeatures([])))).toEqual(new Set(['none']));
  });

  it('stay as they were at the creation, without what the drivers have lost', () => {
    const created = featuresOfDrivers(CLOUD, BROKER);

    expect(featuresLeft(created, created)).toEqual(created);
    expect(featuresLeft(created, { ...created, encryption: 'none' })).toEqual({ ...created, encryption: 'none' });
    expect(featuresLeft(created, { ...created, replication: 'real', private_networking: 'real' })).toEqual(created);
  });
});
