import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useParams } from '@tanstack/react-router';
import { accountQuery } from '../api/session.js';
import { PartsNav } from './parts-nav.js';
import { Person } from './person.js';
import styles from './shell.module.css';
import { SignInAgain } from './sign-in-again.js';

/** The frame of every screen of a signed-in person. */
export const Shell = () => {
  const { tenantId } = useParams({ strict: false });
  return (
    <>
      <a className={styles['skip']} href="#main">
        Skip to the content
      </a>
      <header className={styles['bar']}>
        <Link to="/" className={styles['name'] ?? ''}>
          Landlord
        </Link>
        <Organizations />
        <Person />
      </header>
      <div className={tenantId === undefined ? styles['alone'] : styles['body']}>
        {tenantId !== undefined && <PartsNav tenantId={tenantId} />}
        <main id="main" className={styles['main']} tabIndex={-1}>
          {/* Another organization starts with nothing of the last one: no draft, and no page of a list. */}
          <Outlet key={tenantId} />
        </main>
      </div>
      <SignInAgain />
    </>
  );
};

function Organizations() {
  const { data: account } = useQuery(accountQuery);
  const { tenantId } = useParams({ strict: false });
  const tenants = account?.tenants.filter(({ active }) => active) ?? [];
  return (
    <nav className={styles['links']} aria-label="Organizations">
      {tenants.map(({ id, name }) => (
        <Link key={id} to="/t/$tenantId" params={{ tenantId: id }} {...(id === tenantId && { 'aria-current': 'page' })}>
          <bdi>{name}</bdi>
        </Link>
      ))}
    </nav>
  );
}
