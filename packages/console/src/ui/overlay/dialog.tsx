import { useId, useLayoutEffect, useRef, type ReactNode } from 'react';
import { Button } from '../button.js';
import styles from './dialog.module.css';

interface DialogProps {
  title: string;
  children: ReactNode;
  /** The text of the button that closes the dialog. */
  closing?: string;
  /** The button that goes on. */
  action?: ReactNode;
  onClose: () => void;
}

/** Content over the page. The browser keeps the focus inside, and Escape closes the dialog. */
export function Dialog({ title, children, closing = 'Close', action, onClose }: DialogProps) {
  const box = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // The browser returns the focus when a dialog closes, and not when a dialog goes with its elements: so the dialog closes before they go.
  useLayoutEffect(() => {
    const dialog = box.current;
    if (dialog && !dialog.open) dialog.showModal();
    return () => dialog?.close();
  }, []);
  // `close` comes after the browser has closed the dialog, and a key pressed in between may open it again. `cancel` comes before. It does
  // not come when a person closes a second dialog without a press on the page, and then `close` does.
  return (
    <dialog
      ref={box}
      className={styles['dialog']}
      aria-labelledby={titleId}
      onCancel={onClose}
      onClose={() => box.current && onClose()}
    >
      <h2 id={titleId}>{title}</h2>
      {children}
      <div className={styles['buttons']}>
        <Button onPress={onClose}>{closing}</Button>
        {action}
      </div>
    </dialog>
  );
}
