import { Link, Outlet, useLocation, useMatchRoute } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { Status } from '../../ui/text/status.js';
import styles from './deployment.module.css';
import { DeploymentStatus } from './deployment-status.js';
import { useDeployment, useLastOperation } from './use-deployment.js';
import type { Main } from '@landlord/sdk';

/** The head of every screen of a deployment: its name, its state, its place, and links to the screens. */
export function DeploymentLayout() {
  const { tenantId, deploymentId, deployment, place, isGone, isOld } = useDeployment();
  return (
    <>
      <div className={styles['head']}>
        <h1>
          <bdi>{deployment.name}</bdi>
        </h1>
        {isGone ? <Status of="deleted" /> : <DeploymentStatus of={deployment} isOld={isOld} />}
      </div>
      <p className={styles['place']}>
        <Link to="/t/$tenantId" params={{ tenantId }}>
          Deployments
        </Link>{' '}
        · <bdi>{place.division}</bdi> / <bdi>{place.environment}</bdi> · {deployment.cloud} {deployment.region} ·{' '}
        {deployment.tier}
      </p>
      {deployment.clients === 'none_allowed' && !isGone && (
        <p>
          No access rule is in force, so no client can connect.{' '}
          <Link to="/t/$tenantId/deployments/$deploymentId/access" params={{ tenantId, deploymentId }}>
            Add a rule
          </Link>
          .
        </p>
      )}
      {deployment.status_reason !== null && <p>{deployment.status_reason}</p>}
      <Screens tenantId={tenantId} deploymentId={deploymentId} />
      <OperationStrip key={`operation ${deploymentId}`} />
      {/* Another deployment starts with nothing of the last one: no text in a field, and no line of a log. */}
      <Outlet key={deploymentId} />
    </>
  );
}

const SCREENS = [
  { path: '', name: 'Overview' },
  { path: '/nodes', name: 'Nodes' },
  { path: '/logs', name: 'Logs' },
  { path: '/metrics', name: 'Metrics' },
  { path: '/operations', name: 'Operations' },
  { path: '/activities', name: 'Activities' },
  { path: '/configuration', name: 'Configuration' },
  { path: '/connectors', name: 'Connectors' },
  { path: '/backups', name: 'Backups' },
  { path: '/snapshots', name: 'Snapshots' },
  { path: '/access', name: 'Access' },
  { path: '/network', name: 'Network' },
  { path: '/security', name: 'Security' },
  { path: '/upgrade', name: 'Upgrade' },
  { path: '/settings', name: 'Settings' },
] as const;

/** On a narrow screen the links are one line that scrolls, with the link of the open screen in view. */
function Screens(params: { tenantId: number; deploymentId: number }) {
  const { pathname } = useLocation();
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    box.current?.querySelector('[aria-current=page]')?.scrollIntoView({ inline: 'center', block: 'nearest' });
  }, [pathname]);
  return (
    <nav ref={box} className={styles['screens']} aria-label="Screens of the deployment">
      {SCREENS.map(({ path, name }) => (
        <Link
          key={name}
          to={`/t/$tenantId/deployments/$deploymentId${path}`}
          params={params}
          // The link of the screen that is open says so, with any filter.
          activeOptions={{ exact: path === '', includeSearch: false }}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}

/** What happens to the deployment now, above every screen but the overview, which shows all steps. */
function OperationStrip() {
  const { tenantId, deploymentId } = useDeployment();
  const operation = useLastOperation();
  const isOn = useMatchRoute();
  const params = { tenantId, deploymentId };
  if (!operation || operation.status === 'succeeded') return null;
  if (isOn({ to: '/t/$tenantId/deployments/$deploymentId', params })) return null;
  const { id, type, status, progress, reason } = operation;
  return (
    <section className={styles['strip']} aria-label="Operation">
      <Link to="/t/$tenantId/deployments/$deploymentId/operations" params={params} search={{ operation: id }}>
        {type.replaceAll('_', ' ')}
      </Link>
      <Status of={status} isWork />
      <progress value={progress} max={100} aria-label={`Progress of operation ${id}`} />
      <span>{progress} %</span>
      <span>{reason ?? stepOf(operation)}</span>
    </section>
  );
}

const stepOf = ({ steps }: Main.OperationView): string => steps.at(-1)?.name.replaceAll('_', ' ') ?? '';
