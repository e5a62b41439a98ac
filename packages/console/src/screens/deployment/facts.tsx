import { Fragment, type ReactNode } from 'react';
import styles from './deployment.module.css';

/** Names with their values. */
export const Facts = ({ values }: { values: Readonly<Record<string, ReactNode>> }) => (
  <dl className={styles['facts']}>
    {Object.entries(values).map(([name, value]) => (
      <Fragment key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </Fragment>
    ))}
  </dl>
);
