import type { ReactNode } from 'react';
import styles from './facts.module.css';

/** Names with their values. A value that is null is left out. */
export const Facts = ({ values }: { values: Readonly<Record<string, ReactNode>> }) => (
  <dl className={styles['facts']}>
    {Object.entries(values)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);
