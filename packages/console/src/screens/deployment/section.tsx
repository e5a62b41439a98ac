import { useId, type ReactNode } from 'react';
import styles from './deployment.module.css';

/** A part of a screen, with its title. */
export function Section({ title, children }: { title: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section className={styles['section']} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}
