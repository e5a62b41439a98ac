import { largerThan } from './larger.js';

const current = { tier: 'small', storage: { type: 'network_balanced', size: 100 }, managed_tier: 'standard' };
const offered = (changed: object) => {
  const { sizes, managedTiers, ...others } = largerThan({ ...current, can_upgrade: true, ...changed } as never);
  return { ...others, sizes: sizes.map(({ value }) => value), managedTiers: managedTiers.map(({ value }) => value) };
};

describe('What an upgrade offers', () => {
  it('is only what is larger than now', () => {
    expect(offered({ tier: '4xlarge' })).toEqual({
      ...{ sizes: ['8xlarge', '16xlarge'], managedTiers: ['performance', 'enterprise'], refusal: null },
      fields: ['tier', 'storage.size', 'managed_tier'],
    });
    expect(offered({ tier: '16xlarge', managed_tier: 'enterprise' })).toMatchObject({ fields: ['storage.size'] });
  });

  it('is only the managed tier for nodes with local storage, and never a managed tier in an own account', () => {
    expect(offered({ storage: { type: 'local_ssd', size: 900 } }).fields).toEqual(['managed_tier']);
    expect(offered({ managed_tier: undefined }).fields).toEqual(['tier', 'storage.size']);
  });

  it('is nothing for a Free deployment, and nothing before its time', () => {
    expect(offered({ tier: 'free', managed_tier: undefined })).toMatchObject({
      ...{ fields: [], refusal: 'A Free deployment cannot be upgraded. Create a paid deployment.' },
    });
    expect(offered({ can_upgrade: false }).refusal).toBe('The deployment cannot be upgraded yet.');
  });
});
