import { useState } from 'react';
import { Button } from './button.js';
import { Confirm } from './confirm.js';

interface ConfirmButtonProps {
  action: string;
  question: string;
  send: { mutate: () => void; isPending: boolean; error: Error | null };
  disabledReason?: string | null;
}

/** A button for what cannot be undone. It asks first. */
export function ConfirmButton({ action, question, send, disabledReason = null }: ConfirmButtonProps) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button kind="danger" disabledReason={disabledReason} onPress={() => setAsking(true)}>
        {action}
      </Button>
      {isAsking && <Confirm title={question} action={action} send={send} onClose={() => setAsking(false)} />}
    </>
  );
}
