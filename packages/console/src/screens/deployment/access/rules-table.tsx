import type { Supervisor } from '@landlord/sdk';
import type { Column } from '../../../ui/list/table.js';
import { Time } from '../../../ui/text/time.js';
import { Described } from '../described.js';
import { DeploymentButton } from '../deployment-request.js';
import { List } from '../../../ui/list/list.js';
import { useLive } from '../use-deployment.js';
import { openedBy } from './rule.js';

type Rule = Supervisor.AccessRuleView;

export function RulesTable() {
  const rules = useLive('accessRules.list', {});
  return (
    <List
      label="Access rules"
      query={rules}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      empty="No client can connect, because there is no access rule."
    />
  );
}

const COLUMNS: readonly Column<Rule>[] = [
  { title: 'Name', cell: ({ name, remarks }) => <Described name={name} remarks={remarks} /> },
  { title: 'Addresses', cell: ({ cidr_blocks }) => <code>{cidr_blocks.join(', ')}</code> },
  {
    title: 'Opens',
    cell: ({ rules, unavailable }) => (
      <>
        {openedBy(rules)}
        {unavailable.length > 0 && (
          <div>Not offered by the broker: {unavailable.map((one) => one.replace('broker_', '')).join(', ')}</div>
        )}
      </>
    ),
  },
  { title: 'Until', cell: ({ valid_to }) => (valid_to === null ? 'no end' : <Time at={valid_to} />) },
  {
    title: 'Delete',
    cell: ({ id, name }) => (
      <DeploymentButton
        request="accessRules.delete"
        ids={{ access_rule_id: id }}
        action="Delete"
        question={`Delete the access rule ${name}? Connections that no other rule allows are cut at once.`}
      />
    ),
  },
];
