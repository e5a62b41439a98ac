import type { Main } from '@landlord/sdk';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { readQuery } from '../../../api/read.js';
import { Button } from '../../../ui/button.js';
import { SelectField } from '../../../ui/form/field.js';
import type { Column } from '../../../ui/list/table.js';
import { List } from '../../../ui/list/list.js';
import { Section } from '../../../ui/section.js';
import { useDeployment, useRefusal } from '../use-deployment.js';
import { TYPES, type CatalogueSearch } from './search.js';

type Connector = Main.ConnectorView;

const TYPE_CHOICES = [{ value: '', label: 'All' }, ...TYPES.map((type) => ({ value: type, label: type }))];

const columnsOf = (search: CatalogueSearch): readonly Column<Connector>[] => [
  { title: 'Name', cell: ({ name, version }) => `${name} ${version}` },
  { title: 'Type', cell: ({ type }) => type },
  { title: 'What it does', cell: ({ description }) => description },
  { title: 'Instances', cell: ({ activated_instances }) => activated_instances.length },
  { title: 'Activate', cell: (connector) => <Activate connector={connector} search={search} /> },
];

/** The connectors that the nodes and the plan offer. */
export function Catalogue({ search }: { search: CatalogueSearch }) {
  const { page = 1, type } = search;
  const { tenantId, deployment } = useDeployment();
  const { id, division_id, environment_id } = deployment;
  const navigate = useNavigate();
  const list = useQuery(
    readQuery(tenantId, 'availableConnectors.list', {
      ...{ division_id, environment_id, deployment_id: id, page, ...(type && { type }) },
    }),
  );
  const choose = (chosen: string): void =>
    void navigate({ to: '.', search: chosen === '' ? {} : { type: chosen }, resetScroll: false });
  return (
    <Section title="Available connectors">
      <SelectField label="Type" name="type" value={type ?? ''} onChange={choose} choices={TYPE_CHOICES} />
      <List
        label="Available connectors"
        query={list}
        columns={columnsOf(search)}
        keyOf={({ type: of, key }) => `${of}:${key}`}
        empty="There is no connector of this type."
      />
    </Section>
  );
}

function Activate({ connector, search }: { connector: Connector; search: CatalogueSearch }) {
  const { type, key, unavailable_reason, permitted } = connector;
  const navigate = useNavigate();
  const refusal = useRefusal('deployment:connector:manage');
  const outside = permitted ? null : 'The plan does not include this connector.';
  return (
    <Button
      disabledReason={refusal ?? unavailable_reason ?? outside}
      onPress={() => void navigate({ to: '.', search: { ...search, activate: `${type}:${key}` as const } })}
    >
      Activate
    </Button>
  );
}
