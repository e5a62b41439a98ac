import { useQuery } from '@tanstack/react-query';
import { Outlet, useMatches, useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { deploymentQuery } from '../api/queries/deployment.js';
import { accountQuery } from '../api/session.js';

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** What the page is, for the title of the tab. */
    title?: string;
  }
}

/** Any page, in a tab with its title: the page, the deployment, the organization. */
export function TitledPage() {
  const page = usePageName();
  const { deployment, tenant } = useNames();
  const title = [page, deployment, tenant, 'Landlord'].filter(Boolean).join(' · ');
  useEffect(() => {
    document.title = title;
  }, [title]);
  return <Outlet />;
}

/** An address without a page matches only the routes above all pages, which have no title. */
const usePageName = (): string =>
  useMatches({ select: (matches) => matches.at(-1)?.staticData.title }) ?? 'There is no such page';

/** The names of the deployment and the organization, as far as the page has read them. */
function useNames(): { deployment: string | undefined; tenant: string | undefined } {
  const { tenantId = 0, deploymentId = 0 } = useParams({ strict: false });
  const known = { enabled: false, throwOnError: false };
  const { data: account } = useQuery({ ...accountQuery, ...known });
  const { data } = useQuery({ ...deploymentQuery(tenantId, deploymentId), ...known });
  const tenant = account?.tenants.find(({ id }) => id === tenantId);
  return { deployment: isolated(data?.deployment.name), tenant: isolated(tenant?.name) };
}

/** A title has no elements. These characters do what `<bdi>` does: a name changes nothing around it. */
const isolated = (name: string | undefined): string | undefined =>
  name === undefined ? undefined : `\u2068${name}\u2069`;
