import type { Supervisor } from '@landlord/sdk';
import { useMutation } from '@tanstack/react-query';
import { landlordOf } from '../../../api/client.js';
import { Button } from '../../../ui/button.js';
import { List } from '../../../ui/list/list.js';
import type { Column } from '../../../ui/list/table.js';
import { Problem } from '../../../ui/problem.js';
import { Section } from '../../../ui/section.js';
import { Time } from '../../../ui/text/time.js';
import { DeploymentButton, DeploymentForm } from '../deployment-request.js';
import { Described } from '../described.js';
import styles from '../deployment.module.css';
import { useDeployment, useLive } from '../use-deployment.js';
import { openedBy, withAddress } from './rule.js';

/** From which addresses clients may connect. */
export const AccessScreen = () => (
  <>
    <Section title="Access rules">
      <RulesTable />
    </Section>
    <Section title="Add a rule">
      <AddRule />
    </Section>
  </>
);

type Rule = Supervisor.AccessRuleView;

function RulesTable() {
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

/** Opens the deployment to more addresses. */
const AddRule = () => (
  <DeploymentForm
    request="accessRules.create"
    own={{
      cidr_blocks: {
        label: 'Addresses',
        hint: 'IPv4 addresses with the length of the network, such as 203.0.113.0/24, each on its line.',
      },
      'rules.broker_tcp': { label: 'Opens TCP', hint: '' },
      'rules.broker_http': { label: 'Opens HTTP and the page for browsers', hint: '' },
      'rules.broker_websocket': { label: 'Opens WebSocket', hint: '' },
      'rules.broker_udp': { label: 'Opens UDP', hint: '' },
      valid_to: { label: 'Until', hint: 'A time such as 2030-01-31T12:00:00Z. Without one, the rule has no end.' },
    }}
    initial={{ rules: { broker_tcp: true, broker_http: true, broker_websocket: true } }}
    action="Add the rule"
  >
    {({ cidr_blocks }, _input, change) => (
      <MyAddress
        onFound={(cidr) =>
          change({ cidr_blocks: withAddress(typeof cidr_blocks === 'string' ? cidr_blocks : '', cidr) })
        }
      />
    )}
  </DeploymentForm>
);

/** Only the Supervisor knows the address from which the person comes. */
function MyAddress({ onFound }: { onFound: (cidr: string) => void }) {
  const { tenantId, deploymentId } = useDeployment();
  const find = useMutation({
    mutationFn: () => landlordOf(tenantId).accessRules.getCaller({ deployment_id: deploymentId }),
    onSuccess: ({ cidr }) => {
      if (cidr !== null) onFound(cidr);
    },
  });
  return (
    <div className={styles['gap']}>
      <Button isBusy={find.isPending} onPress={() => find.mutate()}>
        Add my address
      </Button>
      {find.data?.cidr === null && (
        <p role="status">Your address is {find.data.address}, and rules have IPv4 addresses only.</p>
      )}
      {find.error && <Problem error={find.error} />}
    </div>
  );
}
