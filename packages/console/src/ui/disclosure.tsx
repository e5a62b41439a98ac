import type { ReactNode } from 'react';
import styles from './disclosure.module.css';

interface DisclosureProps {
  /** What opens, such as "New key". */
  title: ReactNode;
  children: ReactNode;
  isOpen?: boolean;
}

/** Content that a person opens: mostly a form for one more thing. */
export const Disclosure = ({ title, children, isOpen = false }: DisclosureProps) => (
  <details className={styles['disclosure']} open={isOpen}>
    <summary>{title}</summary>
    <div className={styles['content']}>{children}</div>
  </details>
);
