import type { ReactNode } from 'react';
import styles from './sign-in.module.css';

/** The frame of a page for people who may have no session. */
export const EntryPage = ({ title, children }: { title: string; children: ReactNode }) => (
  <main className={styles['main']}>
    <h1>{title}</h1>
    {children}
  </main>
);
