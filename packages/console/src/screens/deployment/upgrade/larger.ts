import type { Main } from '@landlord/sdk';
import { shapeOf } from '../../../request/find-shape.js';
import type { Choice } from '../../../ui/form/field.js';

type Current = Pick<Main.DeploymentView, 'tier' | 'storage' | 'managed_tier' | 'can_upgrade'>;

const { members } = shapeOf('deployments.upgrade');
const valuesOf = (name: string): readonly string[] =>
  (members.find(({ member }) => member === name)?.choices ?? []).map(String);
/** From small to large, as the OpenAPI document has them. */
const SIZES = valuesOf('tier');
const MANAGED_TIERS = valuesOf('managed_tier');

const above = (all: readonly string[], current: string | undefined): readonly Choice[] =>
  current === undefined ? [] : all.slice(all.indexOf(current) + 1).map((value) => ({ value, label: value }));

/** What an upgrade of the deployment can change: the API refuses smaller sizes, lower tiers, and other nodes with local storage. */
export function largerThan({ tier, storage, managed_tier, can_upgrade }: Current) {
  const isLocal = storage.type === 'local_ssd';
  const sizes = isLocal ? [] : above(SIZES, tier);
  const managedTiers = above(MANAGED_TIERS, managed_tier);
  const fields = [
    ...(sizes.length > 0 ? ['tier'] : []),
    ...(isLocal ? [] : ['storage.size']),
    ...(managedTiers.length > 0 ? ['managed_tier'] : []),
  ];
  return { sizes, managedTiers, fields: tier === 'free' ? [] : fields, refusal: refusalOf(tier, fields, can_upgrade) };
}

function refusalOf(tier: string, fields: readonly string[], canUpgrade: boolean): string | null {
  if (tier === 'free') return 'A Free deployment cannot be upgraded. Create a paid deployment.';
  if (fields.length === 0) return 'There is nothing larger for this deployment.';
  return canUpgrade ? null : 'The deployment cannot be upgraded yet.';
}
