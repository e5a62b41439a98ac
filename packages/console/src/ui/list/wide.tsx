import type { ReactNode } from 'react';
import styles from './wide.module.css';

/** A table that scrolls inside its box on a narrow screen, which keys can scroll, too. */
export const Wide = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className={styles['wide']} tabIndex={0} role="region" aria-label={label}>
    {children}
  </div>
);
