import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import styles from './tenant-head.module.css';

const PARTS = [
  { to: '/t/$tenantId', title: 'Deployments' },
  { to: '/t/$tenantId/divisions', title: 'Divisions' },
  { to: '/t/$tenantId/keys', title: 'API keys' },
  { to: '/t/$tenantId/members', title: 'Members' },
  { to: '/t/$tenantId/roles', title: 'Roles' },
  { to: '/t/$tenantId/plan', title: 'Plan' },
  { to: '/t/$tenantId/invoices', title: 'Invoices' },
  { to: '/t/$tenantId/audit', title: 'Audit' },
] as const;

interface TenantHeadProps {
  tenantId: number;
  title: ReactNode;
  /** The button of the page. */
  action?: ReactNode;
}

/** The parts of an organization, and the title of one of them. */
export const TenantHead = ({ tenantId, title, action }: TenantHeadProps) => (
  <>
    <nav className={styles['links']} aria-label="Parts of the organization">
      {PARTS.map(({ to, title: part }) => (
        <Link key={to} to={to} params={{ tenantId }} activeOptions={{ exact: true, includeSearch: false }}>
          {part}
        </Link>
      ))}
    </nav>
    <div className={styles['head']}>
      <h1>{title}</h1>
      {action}
    </div>
  </>
);
