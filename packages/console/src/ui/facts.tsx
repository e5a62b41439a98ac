import type { ReactNode } from 'react';
import styles from './facts.module.css';

/** Names and values of one thing. A value that is null is left out. */
export const Facts = ({ of: facts }: { of: readonly (readonly [name: string, value: ReactNode])[] }) => (
  <dl className={styles['facts']}>
    {facts
      .filter(([, value]) => value !== null)
      .map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);
