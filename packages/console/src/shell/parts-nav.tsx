import { Link, useLocation } from '@tanstack/react-router';
import { useId } from 'react';
import { SECTIONS } from './parts.js';
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
