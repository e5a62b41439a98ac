import type { ReactNode } from 'react';
import styles from './tenant-head.module.css';

interface TenantHeadProps {
  title: ReactNode;
  /** The button of the page. */
  action?: ReactNode;
}

/** The title of a part of an organization. */
export const TenantHead = ({ title, action }: TenantHeadProps) => (
  <div className={styles['head']}>
    <h1>{title}</h1>
    {action}
  </div>
);
