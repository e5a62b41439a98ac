import { useState, type ReactNode } from 'react';
import styles from './disclosure.module.css';

interface DisclosureProps {
  /** What opens, such as "New key". */
  title: ReactNode;
  children: ReactNode;
}

/** Content that a person opens: mostly a form for one more thing. Closed content asks nothing of the API. */
export function Disclosure({ title, children }: DisclosureProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={styles['disclosure']} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && <div className={styles['content']}>{children}</div>}
    </details>
  );
}
