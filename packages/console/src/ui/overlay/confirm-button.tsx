import { useEffect, useRef, useState } from 'react';
import { Button } from '../button.js';
import { Confirm } from './confirm.js';

interface ConfirmButtonProps {
  action: string;
  /** Red is for what is lost or cut. */
  kind?: 'plain' | 'primary' | 'danger';
  question: string;
  send: { mutate: () => void; isPending: boolean; error: Error | null };
  disabledReason?: string | null;
}

/** A button for what cannot be undone, or interrupts something. It asks first. */
export function ConfirmButton({ action, kind = 'danger', question, send, disabledReason = null }: ConfirmButtonProps) {
  const [isAsking, setAsking] = useState(false);
  const { isPending, error } = send;
  const wasPending = useRef(false);
  // The question goes after a success, and stays with the reason after a refusal.
  useEffect(() => {
    if (wasPending.current && !isPending && error === null) setAsking(false);
    wasPending.current = isPending;
  }, [isPending, error]);
  return (
    <>
      <Button kind={kind} opens="dialog" disabledReason={disabledReason} onPress={() => setAsking(true)}>
        {action}
      </Button>
      {isAsking && (
        <Confirm
          {...{ title: question, action, send, kind: kind === 'danger' ? kind : 'primary' }}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
