import type { Main } from '@landlord/sdk';
import { Link } from '@tanstack/react-router';
import { useOperation } from '../../../api/use-operation.js';
import { Status } from '../../../ui/text/status.js';
import { Time } from '../../../ui/text/time.js';
import { Steps } from '../operation-steps.js';

const GOING_ON: readonly Main.OperationView['status'][] = ['pending', 'running'];

interface OperationRowsProps {
  tenantId: number;
  listed: Main.OperationView;
  isOpen: boolean;
}

/** An operation, which changes as it goes on, and its steps when it is open. */
export function OperationRows({ tenantId, listed, isOpen }: OperationRowsProps) {
  const live = useOperation(tenantId, GOING_ON.includes(listed.status) ? listed.id : null);
  const operation = live ?? listed;
  const { id, type, status, progress, created_at, finished_at } = operation;
  return (
    <>
      <tr>
        <td>
          <Link
            to="."
            search={(before) => withOpen(before, isOpen ? null : id)}
            aria-expanded={isOpen}
            resetScroll={false}
          >
            {id} {type.replaceAll('_', ' ')}
          </Link>
        </td>
        <td>
          <Status of={status} isWork />
        </td>
        <td>{progress} %</td>
        <td>
          <Time at={created_at} />
        </td>
        <td>{finished_at === null ? 'not yet' : <Time at={finished_at} />}</td>
      </tr>
      {isOpen && (
        <tr>
          <td colSpan={5}>
            <Details operation={operation} />
          </td>
        </tr>
      )}
    </>
  );
}

/** The search with another open operation. The page and the filter stay. */
const withOpen = (before: object, operation: number | null): Record<string, unknown> => {
  const others = Object.entries(before as Record<string, unknown>).filter(([name]) => name !== 'operation');
  return Object.fromEntries([...others, ...(operation === null ? [] : [['operation', operation] as const])]);
};

const Details = ({ operation: { reason, incident, next_attempt_at, steps } }: { operation: Main.OperationView }) => (
  <>
    {reason !== null && <p>{reason}</p>}
    {incident !== null && <p>{incident.detail}</p>}
    {next_attempt_at !== null && (
      <p>
        Next attempt: <Time at={next_attempt_at} />
      </p>
    )}
    <Steps steps={steps} />
  </>
);
