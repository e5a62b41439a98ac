import type { Supervisor } from '@landlord/sdk';
import { textOf } from '../../../lib/payload.js';
import type { Column } from '../../../ui/list/table.js';
import { Time } from '../../../ui/text/time.js';
import styles from '../deployment.module.css';
import { DeploymentButton } from '../deployment-request.js';
import { List } from '../../../ui/list/list.js';
import { Section } from '../../../ui/section.js';
import { useLive } from '../use-deployment.js';

type Letter = Supervisor.DeadLetterView;

/** The messages that the destination refused for good. */
export function DeadLetters({ instanceId, page }: { instanceId: number; page: number }) {
  const ids = { connector_instance_id: instanceId };
  const list = useLive('deadLetters.list', { ...ids, page });
  const disabledReason = list.data?.total_results === 0 ? 'There is no refused message.' : null;
  return (
    <Section title="Refused messages">
      <div className={`${styles['actions']} ${styles['gap']}`}>
        <DeploymentButton {...{ request: 'deadLetters.replay', ids, disabledReason }} action="Deliver all again" />
        <DeploymentButton
          {...{ request: 'deadLetters.delete', ids, disabledReason }}
          action="Delete all"
          question="Delete all refused messages of this connector?"
        />
      </div>
      <List
        label="Refused messages"
        query={list}
        columns={columnsOf(ids)}
        keyOf={({ id, message_id }) => `${id} ${message_id}`}
        empty="The destination has refused no message."
      />
    </Section>
  );
}

const columnsOf = (ids: { connector_instance_id: number }): readonly Column<Letter>[] => [
  { title: 'Refused', cell: ({ failed_at }) => <Time at={failed_at} /> },
  { title: 'Topic', cell: ({ topic }) => <bdi>{topic}</bdi> },
  { title: 'Reason', cell: ({ error }) => error },
  { title: 'Attempts', cell: ({ attempts }) => attempts },
  { title: 'Message', cell: (letter) => <Payload {...letter} /> },
  {
    title: 'Deliver',
    cell: ({ id }) => (
      <DeploymentButton request="deadLetters.replay" ids={ids} input={{ ids: [id] }} action="Deliver again" />
    ),
  },
];

const Payload = ({ payload, payload_bytes, is_truncated }: Letter) => (
  <>
    <code>{textOf(payload)}</code>
    {is_truncated && <div>The start of {payload_bytes.toLocaleString('en')} bytes.</div>}
  </>
);
