import type { Supervisor } from '@landlord/sdk';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { SelectField } from '../../../ui/form/field.js';
import { Status } from '../../../ui/text/status.js';
import type { Column } from '../../../ui/list/table.js';
import { Time } from '../../../ui/text/time.js';
import { DeploymentForm } from '../deployment-request.js';
import { choicesOf, Filters } from '../../../ui/list/filters.js';
import { List } from '../../../ui/list/list.js';
import { useNodeChoices } from '../node-filter.js';
import { NodeName } from '../node-name.js';
import { Section } from '../../../ui/section.js';
import { useLive } from '../use-deployment.js';
import { ACTIONS, RUNTIMES, searchOfActivities, STATUSES, type ActivitySearch } from './search.js';

const VERBS = { restart: 'Restart', stop: 'Stop', start: 'Start' } as const;

/** Starts and stops the programs of the nodes, and what was done to them. */
export function ActivitiesScreen() {
  const search = useSearch({ from: '/signed-in/t/$tenantId/deployments/$deploymentId/activities' });
  const { page = 1, status } = search;
  const list = useLive('activities.list', { page, ...(status && { status }) });
  return (
    <>
      <Section title="New activity">
        <NewActivity search={search} />
      </Section>
      <Section title="Activities">
        <Filters
          fields={[{ name: 'status', label: 'State', choices: choicesOf(STATUSES) }]}
          values={{ runtime: search.runtime, action: search.action, status }}
        />
        <List label="Activities" query={list} columns={COLUMNS} keyOf={({ id }) => id} empty="No activity yet." />
      </Section>
    </>
  );
}

function NewActivity({ search }: { search: ActivitySearch }) {
  const { runtime = 'broker', action = 'restart' } = search;
  const choices = useNodeChoices();
  const navigate = useNavigate();
  const choose = (chosen: object): void =>
    void navigate({ to: '.', search: searchOfActivities({ ...search, ...chosen }), resetScroll: false });
  return (
    <>
      <SelectField
        label="Program"
        name="runtime"
        value={runtime}
        onChange={(chosen) => choose({ runtime: chosen })}
        choices={RUNTIMES.map((one) => ({ value: one, label: one }))}
      />
      <SelectField
        label="Action"
        name="action"
        value={action}
        onChange={(chosen) => choose({ action: chosen })}
        choices={ACTIONS.map((one) => ({ value: one, label: VERBS[one] }))}
      />
      <DeploymentForm
        request="activities.request"
        ids={{ runtime, action }}
        own={{ nodes: { label: 'Nodes', hint: 'Without a choice: all nodes.', choices } }}
        action={VERBS[action]}
        {...(action !== 'start' && {
          question: `${VERBS[action]} the ${runtime} of the nodes? The nodes change one at a time.`,
        })}
        kind={action === 'stop' ? 'danger' : 'primary'}
      />
    </>
  );
}

const COLUMNS: readonly Column<Supervisor.ActivityView>[] = [
  { title: 'Requested', cell: ({ created_at }) => <Time at={created_at} /> },
  { title: 'Node', cell: ({ node_id }) => <NodeName id={node_id} /> },
  { title: 'What', cell: ({ runtime, action }) => `${runtime} ${action}` },
  {
    title: 'Status',
    cell: ({ status, error }) => (
      <>
        <Status of={status} isWork />
        {error !== null && <div>{error}</div>}
      </>
    ),
  },
  { title: 'Ended', cell: ({ finished_at }) => (finished_at === null ? 'not yet' : <Time at={finished_at} />) },
];
