import { useId, type ReactNode } from 'react';
import styles from './button.module.css';

interface ButtonProps {
  children: ReactNode;
  kind?: 'plain' | 'primary' | 'danger';
  type?: 'button' | 'submit';
  /** While its work is running, a second press does nothing. */
  isBusy?: boolean;
  /** Why the button does nothing now. Shown below the button, and read by screen readers. */
  disabledReason?: string | null;
  /** What opens over the page. */
  opens?: 'dialog' | undefined;
  onPress?: () => void;
}

/** A button that is never hidden: a button that does nothing says why. */
export function Button({
  children,
  kind = 'plain',
  type = 'button',
  isBusy,
  disabledReason = null,
  opens,
  onPress,
}: ButtonProps) {
  const reasonId = useId();
  const isOff = disabledReason !== null || isBusy === true;
  return (
    <span>
      <button
        type={type}
        className={`${styles['button']} ${styles[kind] ?? ''}`}
        aria-disabled={isOff}
        aria-busy={isBusy}
        aria-haspopup={opens}
        aria-describedby={disabledReason === null ? undefined : reasonId}
        onClick={(event) => {
          if (isOff) event.preventDefault();
          else onPress?.();
        }}
      >
        {children}
      </button>
      {disabledReason !== null && (
        <small id={reasonId} className={styles['reason']}>
          {disabledReason}
        </small>
      )}
    </span>
  );
}
