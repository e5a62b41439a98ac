/** What a deployment may promise, and what the drivers of its cloud and of its broker decide. */
export const DRIVER_FEATURES = [
  'encryption',
  'rate_limit',
  'dedicated',
  'private_networking',
  'proxy_protocol',
  'replication',
  'backup',
] as const;
export type DriverFeature = (typeof DRIVER_FEATURES)[number];

/** Each feature in a sentence: the drivers do not support …. */
export const NOUN_OF_FEATURE: Readonly<Record<DriverFeature, string>> = {
  encryption: 'encryption',
  rate_limit: 'rate limits',
  dedicated: 'dedicated machines',
  private_networking: 'private networking',
  proxy_protocol: 'the PROXY protocol',
  replication: 'replication',
  backup: 'backups',
};

/** `real`: the driver does it. `played`: only the states exist. `none`: nobody does it. The weakest comes first. */
export const SUPPORT_LEVELS = ['none', 'played', 'real'] as const;
export type SupportLevel = (typeof SUPPORT_LEVELS)[number];

/** The level of each feature. A missing feature is `none`: nobody has declared it. */
export type FeatureLevels = Partial<Record<DriverFeature, SupportLevel>>;

/** The features that each kind of driver declares. A feature of both kinds has the weaker level of the two. */
export const CLOUD_DRIVER_FEATURES = ['dedicated', 'private_networking', 'proxy_protocol', 'backup'] as const;
export const BROKER_DRIVER_FEATURES = ['encryption', 'rate_limit', 'proxy_protocol', 'replication', 'backup'] as const;
export type CloudFeatures = Record<(typeof CLOUD_DRIVER_FEATURES)[number], SupportLevel>;
export type BrokerFeatures = Record<(typeof BROKER_DRIVER_FEATURES)[number], SupportLevel>;

/** The features of deployments with these drivers. */
export function featuresOfDrivers(cloud: CloudFeatures, broker: BrokerFeatures): Record<DriverFeature, SupportLevel> {
  const declared: FeatureLevels[] = [cloud, broker];
  const levelOf = (feature: DriverFeature): SupportLevel =>
    weakest(declared.flatMap((levels) => (feature in levels ? [levels[feature]] : [])));
  return byFeature(levelOf);
}

/** The weakest of the levels, feature by feature. */
export const weakestFeatures = (all: readonly FeatureLevels[]): Record<DriverFeature, SupportLevel> =>
  byFeature((feature) => weakest(all.map((levels) => levels[feature])));

/** What a deployment can still do: what it was created with, without what its drivers have lost since. */
export const featuresLeft = (created: FeatureLevels, now: FeatureLevels): Record<DriverFeature, SupportLevel> =>
  byFeature((feature) => ((now[feature] ?? 'none') === 'none' ? 'none' : (created[feature] ?? 'none')));

const byFeature = (levelOf: (feature: DriverFeature) => SupportLevel): Record<DriverFeature, SupportLevel> =>
  Object.fromEntries(DRIVER_FEATURES.map((feature) => [feature, levelOf(feature)])) as Record<
    DriverFeature,
    SupportLevel
  >;

function weakest(levels: readonly (SupportLevel | undefined)[]): SupportLevel {
  const ranks = levels.map((level) => SUPPORT_LEVELS.indexOf(level ?? 'none'));
  return ranks.length === 0 ? 'none' : (SUPPORT_LEVELS[Math.min(...ranks)] ?? 'none');
}
