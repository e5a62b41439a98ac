import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { landlordOf } from '../../../api/client.js';
import { accessRulesQuery } from '../../../api/queries/access-rules.js';
import { Button } from '../../../ui/button.js';
import { Checkbox } from '../../../ui/form/checkbox.js';
import { Code } from '../../../ui/code.js';
import { TextField } from '../../../ui/form/field.js';
import { Form } from '../../../ui/form/form.js';
import { issuesOf, Problem } from '../../../ui/problem.js';
import styles from '../deployment.module.css';
import { useDeployment } from '../use-deployment.js';
import { EMPTY, lineOf, PROTOCOLS, ruleOf, withAddress, type Protocol, type RuleDraft } from './rule.js';

/** Opens the deployment to more addresses. */
export function AddRule({ refusal }: { refusal: string | null }) {
  const { deploymentId } = useDeployment();
  const [draft, set] = useState(EMPTY);
  const change = (changed: Partial<RuleDraft>): void => set((before) => ({ ...before, ...changed }));
  const add = useAddition(draft, () => set(EMPTY));
  const issues = issuesOf(add.error);
  return (
    <section className={styles['section']} aria-labelledby="add">
      <h2 id="add">Add a rule</h2>
      <div className={styles['columns']}>
        <Form action="Add the rule" send={add} disabledReason={refusal}>
          <TextField
            {...{ label: 'Name', name: 'name', value: draft.name, issue: issues['name'], required: true }}
            onChange={(name) => change({ name })}
          />
          <TextField
            {...{ label: 'Addresses', name: 'addresses', value: draft.addresses, issue: issues['cidr_blocks'] }}
            hint="IPv4 addresses with the length of the network, such as 203.0.113.0/24, with commas between them."
            onChange={(addresses) => change({ addresses })}
            required
          />
          <MyAddress onFound={(cidr) => set((now) => ({ ...now, addresses: withAddress(now.addresses, cidr) }))} />
          <Protocols chosen={draft.protocols} onChange={(protocols) => change({ protocols })} />
        </Form>
        <Code label="Command that adds the rule" text={lineOf(deploymentId, draft)} />
      </div>
    </section>
  );
}

function useAddition(draft: RuleDraft, onAdded: () => void) {
  const { tenantId, deploymentId } = useDeployment();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => landlordOf(tenantId).accessRules.create(ruleOf(deploymentId, draft)),
    onSuccess: async () => {
      onAdded();
      await queries.invalidateQueries({ queryKey: accessRulesQuery(tenantId, deploymentId).queryKey });
    },
  });
}

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

interface ProtocolsProps {
  chosen: readonly Protocol[];
  onChange: (chosen: readonly Protocol[]) => void;
}

const Protocols = ({ chosen, onChange }: ProtocolsProps) => (
  <fieldset className={styles['gap']}>
    <legend>Opens</legend>
    {PROTOCOLS.map((protocol) => (
      <Checkbox
        key={protocol}
        name={protocol}
        label={protocol}
        isChecked={chosen.includes(protocol)}
        onChange={(isChecked) =>
          onChange(PROTOCOLS.filter((one) => (one === protocol ? isChecked : chosen.includes(one))))
        }
      />
    ))}
  </fieldset>
);
