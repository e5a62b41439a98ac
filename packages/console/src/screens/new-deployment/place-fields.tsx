import { useQuery } from '@tanstack/react-query';
import { cloudsQuery, regionsQuery } from '../../api/queries.js';
import { SelectField } from '../../ui/form/field.js';
import type { Choices, Cloud, Place } from '../../order/order.js';

interface PlaceFieldsProps {
  tenantId: number;
  choices: Choices;
  change: (changed: Partial<Choices>) => void;
  places: readonly Place[];
  issues: Readonly<Record<string, string>>;
}

/** Where the deployment belongs, and where it runs. A region that cannot be ordered says so. */
export function PlaceFields({ tenantId, choices, change, places, issues }: PlaceFieldsProps) {
  const { data: clouds = [] } = useQuery(cloudsQuery(tenantId));
  const { data: regions = [] } = useQuery(regionsQuery(tenantId, choices.cloud));
  const regionChoices = regions.map(({ key, name, available }) => ({
    ...{ value: key, label: `${name} (${key})`, disabledReason: available ? null : 'not available now' },
  }));
  const isKnown = regions.some(({ key }) => key === choices.region);
  return (
    <>
      <SelectField
        label="Environment"
        name="environment"
        value={choices.environment}
        onChange={(environment) => change({ environment })}
        issue={issues['environment_id']}
        choices={places.map(({ division, environment }) => ({
          ...{ value: String(environment.id), label: `${division.name} / ${environment.name}` },
        }))}
      />
      <SelectField
        label="Cloud"
        name="cloud"
        value={choices.cloud}
        onChange={(cloud) => change({ cloud: cloud as Cloud, region: '' })}
        choices={clouds.map(({ key, name }) => ({ value: key, label: name }))}
      />
      <SelectField
        label="Region"
        name="region"
        value={choices.region}
        onChange={(region) => change({ region })}
        issue={issues['region']}
        choices={isKnown ? regionChoices : [{ value: choices.region, label: 'Choose a region' }, ...regionChoices]}
      />
    </>
  );
}
