import { ConnectionError, ProblemError, TimeoutError } from '@landlord/sdk';
import { Button } from './button.js';
import styles from './problem.module.css';

/** What went wrong, what to do, and the id of the request for the operator. */
export function Problem({ error, onRetry }: { error: unknown; onRetry?: (() => void) | undefined }) {
  const { title, detail, action, requestId } = toldOf(error);
  return (
    <div className={styles['problem']} role="alert">
      <p>
        <strong>{title}</strong> {detail}
      </p>
      {action !== null && <p>{action}</p>}
      {onRetry && (
        <p>
          <Button onPress={onRetry}>Try again</Button>
        </p>
      )}
      {requestId !== null && (
        <small>
          Request <code>{requestId}</code>
        </small>
      )}
    </div>
  );
}

interface Told {
  title: string;
  detail: string;
  action: string | null;
  requestId: string | null;
}

const OUTDATED = {
  title: 'Somebody else changed this.',
  detail: 'Nothing was saved. The page now shows the newest values, and what you typed.',
  action: 'Check the fields, then press the button again.',
};

function toldOf(error: unknown): Told {
  if (error instanceof ProblemError) {
    const { title, detail, action } = error.problem as { title: string; detail: string; action?: string };
    if (error.code === 'precondition_failed') return { ...OUTDATED, requestId: error.requestId };
    return { title: `${title}.`, detail, action: action ?? null, requestId: error.requestId };
  }
  if (error instanceof ConnectionError || error instanceof TimeoutError)
    return {
      title: 'No answer.',
      detail: 'The installation or its Supervisor does not answer.',
      action: null,
      requestId: null,
    };
  return { title: 'Something is wrong.', detail: String(error), action: null, requestId: null };
}

/** The reasons of the API by the name of the member: `address.city`, and `address`, too. Places in a list are left out. */
export function issuesOf(error: unknown): Record<string, string> {
  if (!(error instanceof ProblemError)) return {};
  return Object.fromEntries(
    error.fieldIssues.flatMap(({ path, reason }) => {
      const names = path.split('/').filter((name) => name !== '' && !/^\d+$/.test(name));
      return [
        [names[0] ?? '', reason],
        [names.join('.'), reason],
      ];
    }),
  );
}
