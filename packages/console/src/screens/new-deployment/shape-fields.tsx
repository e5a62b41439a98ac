import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { landlordOf } from '../../api/client.js';
import type { Choices } from '../../order/order.js';
import { SelectField, type Choice } from '../../ui/form/field.js';

interface ShapeFieldsProps {
  tenantId: number;
  choices: Choices;
  change: (changed: Partial<Choices>) => void;
  issues: Readonly<Record<string, string>>;
}

const TERMS: readonly Choice[] = [
  { value: 'standard', label: 'Standard' },
  { value: 'performance', label: 'Performance' },
  { value: 'enterprise', label: 'Enterprise' },
];
const ZONES: readonly Choice[] = [
  { value: 'single_az', label: 'One zone' },
  { value: 'multi_az', label: 'Several zones' },
];

/** The sizes of the region. A size that cannot be ordered says why. */
function useSizes(tenantId: number, { cloud, region }: Choices): readonly Choice[] {
  const { data: tiers = [] } = useQuery({
    queryKey: ['tenant', tenantId, 'tiers', cloud, region],
    queryFn: () => landlordOf(tenantId).catalog.listTiers({ cloud, region }),
    enabled: region !== '',
    placeholderData: keepPreviousData,
    throwOnError: false,
  });
  return tiers
    .filter(({ clusters }) => clusters.includes('cluster'))
    .map(({ key, name, vcpus, memory_gib, available, limit }) => ({
      value: key,
      label: `${name}: ${vcpus} CPUs, ${memory_gib} GiB`,
      disabledReason: available ? (limit > 0 ? null : 'the plan allows no more') : 'not in this region',
    }));
}

/** The size and the terms of a managed deployment. */
export function ShapeFields({ tenantId, choices, change, issues }: ShapeFieldsProps) {
  const sizes = useSizes(tenantId, choices);
  return (
    <>
      <SelectField
        label="Size of each node"
        name="tier"
        value={choices.tier}
        onChange={(tier) => change({ tier: tier as Choices['tier'] })}
        issue={issues['tier']}
        choices={sizes}
      />
      <SelectField
        label="Terms"
        name="managed_tier"
        value={choices.terms}
        onChange={(terms) => change({ terms: terms as Choices['terms'] })}
        issue={issues['managed_tier']}
        choices={TERMS}
      />
      <SelectField
        label="Zones"
        name="availability_mode"
        value={choices.zones}
        onChange={(zones) => change({ zones: zones as Choices['zones'] })}
        issue={issues['availability_mode']}
        choices={ZONES}
      />
    </>
  );
}
