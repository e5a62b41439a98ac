import type { Supervisor } from '@landlord/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { landlordOf } from '../../../api/client.js';
import { accessRulesQuery } from '../../../api/queries/access-rules.js';
import { commandLine } from '../../../lib/command-line.js';
import { Button } from '../../../ui/button.js';
import { Code } from '../../../ui/code.js';
import { Confirm } from '../../../ui/confirm.js';
import { Time } from '../../../ui/time.js';
import { TableFrame } from '../../../ui/table.js';
import { useDeployment } from '../use-deployment.js';
import { openedBy } from './rule.js';

type Rule = Supervisor.AccessRuleView;

const COLUMNS = ['Name', 'Addresses', 'Opens', 'Until', 'Delete'];

interface RulesTableProps {
  rules: readonly Rule[];
  /** Why no rule can be deleted. */
  refusal: string | null;
}

export function RulesTable({ rules, refusal }: RulesTableProps) {
  const [leaving, setLeaving] = useState<Rule | null>(null);
  return (
    <>
      <TableFrame label="Access rules" titles={COLUMNS}>
        {rules.map((rule) => (
          <Row key={rule.id} rule={rule} refusal={refusal} onDelete={() => setLeaving(rule)} />
        ))}
      </TableFrame>
      {leaving && <Deletion key={leaving.id} rule={leaving} onClose={() => setLeaving(null)} />}
    </>
  );
}

interface RowProps {
  rule: Rule;
  refusal: string | null;
  onDelete: () => void;
}

const Row = ({ rule: { name, remarks, cidr_blocks, rules, unavailable, valid_to }, refusal, onDelete }: RowProps) => (
  <tr>
    <th scope="row">
      <bdi>{name}</bdi>
      {remarks !== null && (
        <div>
          <small>
            <bdi>{remarks}</bdi>
          </small>
        </div>
      )}
    </th>
    <td>
      <code>{cidr_blocks.join(', ')}</code>
    </td>
    <td>
      {openedBy(rules)}
      {unavailable.length > 0 && (
        <div>Not offered by the broker: {unavailable.map((one) => one.replace('broker_', '')).join(', ')}</div>
      )}
    </td>
    <td>{valid_to === null ? 'no end' : <Time at={valid_to} />}</td>
    <td>
      <Button kind="danger" disabledReason={refusal} onPress={onDelete}>
        Delete
      </Button>
    </td>
  </tr>
);

function Deletion({ rule, onClose }: { rule: Rule; onClose: () => void }) {
  const { tenantId, deploymentId } = useDeployment();
  const queries = useQueryClient();
  const send = useMutation({
    mutationFn: () => landlordOf(tenantId).accessRules.delete({ deployment_id: deploymentId, access_rule_id: rule.id }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: accessRulesQuery(tenantId, deploymentId).queryKey });
      onClose();
    },
  });
  return (
    <Confirm title={`Delete the access rule ${rule.name}?`} action="Delete the rule" send={send} onClose={onClose}>
      <p>Connections that no other rule allows are cut at once.</p>
      <Code
        label="Command"
        text={commandLine({ command: `rules delete ${rule.id}`, options: { deployment: deploymentId } })}
      />
    </Confirm>
  );
}
