import type { ReactNode } from 'react';
import styles from './tenant-head.module.css';

interface TenantHeadProps {
  title: ReactNode;
  /** The link to the list that has the thing. */
  above?: ReactNode;
  /** The button of the page. */
  action?: ReactNode;
}

/** The title of a part of an organization. */
export const TenantHead = ({ title, above, action }: TenantHeadProps) => (
  <>
    {above && <p className={styles['above']}>{above}</p>}
    <div className={styles['head']}>
      <h1>{title}</h1>
      {action}
    </div>
  </>
);
