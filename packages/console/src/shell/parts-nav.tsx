import { Link, useLocation } from '@tanstack/react-router';
import { useId } from 'react';
import styles from './parts-nav.module.css';

/** Links to the parts of the organization, beside the content or above it on a small screen. */
export function PartsNav({ tenantId }: { tenantId: number }) {
  const { pathname } = useLocation();
  const id = useId();
  return (
    <nav className={styles['parts']} aria-label="Parts of the organization">
      {SECTIONS.map(({ title, parts }) => (
        <div key={title} className={styles['section']}>
          <p id={`${id}-${title}`} className={styles['title']}>
            {title}
          </p>
          <ul aria-labelledby={`${id}-${title}`}>
            {parts.map((part) => (
              <li key={part.to}>
                <Link
                  to={part.to}
                  params={{ tenantId }}
                  activeOptions={{ exact: true, includeSearch: false }}
                  {...('below' in part &&
                    isBelow(pathname, part.below, tenantId) && { 'aria-current': 'true' as const })}
                >
                  {part.title}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

/** Whether the page is one of a thing of the part. */
const isBelow = (pathname: string, path: string, tenantId: number): boolean =>
  pathname.startsWith(`${path.replace('$tenantId', String(tenantId))}/`);

/** The parts of an organization, as the navigation groups them. */
const SECTIONS = [
  {
    title: 'Brokers',
    parts: [
      { to: '/t/$tenantId', title: 'Deployments', below: '/t/$tenantId/deployments' },
      { to: '/t/$tenantId/divisions', below: '/t/$tenantId/divisions', title: 'Divisions' },
      { to: '/t/$tenantId/cloud-accounts', title: 'Cloud accounts' },
    ],
  },
  {
    title: 'People',
    parts: [
      { to: '/t/$tenantId/members', title: 'Members' },
      { to: '/t/$tenantId/roles', below: '/t/$tenantId/roles', title: 'Roles' },
      { to: '/t/$tenantId/keys', below: '/t/$tenantId/keys', title: 'API keys' },
    ],
  },
  {
    title: 'Events',
    parts: [
      { to: '/t/$tenantId/channels', title: 'Channels', below: '/t/$tenantId/channels' },
      { to: '/t/$tenantId/audit', title: 'Audit' },
    ],
  },
  {
    title: 'Costs',
    parts: [
      { to: '/t/$tenantId/plan', title: 'Plan' },
      { to: '/t/$tenantId/usage', title: 'Usage' },
      { to: '/t/$tenantId/invoices', title: 'Invoices', below: '/t/$tenantId/invoices' },
      { to: '/t/$tenantId/billing', title: 'Payment' },
    ],
  },
  { title: 'Organization', parts: [{ to: '/t/$tenantId/settings', title: 'Settings' }] },
] as const;
