import type { ReactNode } from 'react';
import { Button } from '../button.js';
import { Problem } from '../problem.js';

interface FormProps {
  children: ReactNode;
  /** The text of the button. */
  action: string;
  send: { mutate: () => void; isPending: boolean; error: Error | null };
  disabledReason?: string | null;
  kind?: 'plain' | 'primary' | 'danger';
  /** Whether a question comes before the request. */
  isAsking?: boolean;
}

/** Fields, what went wrong at the last attempt, and the button. Fields keep their values after a refusal. */
export function Form({ children, action, send, disabledReason = null, kind = 'primary', isAsking = false }: FormProps) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!send.isPending) send.mutate();
      }}
    >
      {children}
      {send.error && <Problem error={send.error} />}
      <Button
        type="submit"
        opens={isAsking ? 'dialog' : undefined}
        kind={kind}
        isBusy={send.isPending}
        disabledReason={disabledReason}
      >
        {action}
      </Button>
    </form>
  );
}
