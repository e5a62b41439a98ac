import type { ReactNode } from 'react';
import { Button } from '../button.js';
import { Dialog } from './dialog.js';
import { Problem } from '../problem.js';

interface ConfirmProps {
  /** The question. */
  title: string;
  children?: ReactNode;
  /** The text of the button that goes on. */
  action: string;
  /** Red is for what is lost or cut. */
  kind?: 'primary' | 'danger';
  send: { mutate: () => void; isPending: boolean; error: Error | null };
  onClose: () => void;
}

/** A question before something is lost or interrupted. */
export const Confirm = ({ title, children, action, kind = 'danger', send, onClose }: ConfirmProps) => (
  <Dialog
    title={title}
    onClose={onClose}
    closing="Cancel"
    action={
      <Button kind={kind} isBusy={send.isPending} onPress={() => send.mutate()}>
        {action}
      </Button>
    }
  >
    {children}
    {send.error && <Problem error={send.error} />}
  </Dialog>
);
