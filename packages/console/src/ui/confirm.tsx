import { useEffect, useId, useRef, type ReactNode } from 'react';
import { Button } from './button.js';
import styles from './confirm.module.css';
import { Problem } from './problem.js';

interface ConfirmProps {
  /** The question. */
  title: string;
  children?: ReactNode;
  /** The text of the button that goes on. */
  action: string;
  send: { mutate: () => void; isPending: boolean; error: Error | null };
  onClose: () => void;
}

/** Opens a dialog above the page. The browser keeps the focus inside, and Escape closes the dialog. */
export function useModal() {
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = box.current;
    if (dialog && !dialog.open) dialog.showModal();
  }, []);
  return box;
}

/** A question before something is lost. */
export function Confirm({ title, children, action, send, onClose }: ConfirmProps) {
  const box = useModal();
  const titleId = useId();
  return (
    <dialog ref={box} className={styles['confirm']} aria-labelledby={titleId} onClose={onClose}>
      <h2 id={titleId}>{title}</h2>
      {children}
      {send.error && <Problem error={send.error} />}
      <div className={styles['buttons']}>
        <Button onPress={() => box.current?.close()}>Cancel</Button>
        <Button kind="danger" isBusy={send.isPending} onPress={() => send.mutate()}>
          {action}
        </Button>
      </div>
    </dialog>
  );
}
