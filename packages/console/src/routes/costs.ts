import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { invoicesQuery, limitsQuery } from '../api/queries/organization.js';
import { queryClient } from '../api/query-client.js';
import { readQuery } from '../api/read.js';
import { FILTERS } from '../generated/values.js';
import { DAY, searchOf } from '../ui/list/filters.js';
import { readPage } from '../ui/list/pages.js';
import { idsOf, signedInRoute } from './base.js';

const planRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenantId/plan',
  staticData: { title: 'Plan' },
  params: idsOf('tenantId'),
  loader: ({ params: { tenantId } }) => queryClient.ensureQueryData(limitsQuery(tenantId)),
  component: lazyRouteComponent(() => import('../screens/plan/plan-screen.js'), 'PlanScreen'),
});

const searchOfInvoices = searchOf(FILTERS['invoices.list']);

const invoicesRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenantId/invoices',
  staticData: { title: 'Invoices' },
  params: idsOf('tenantId'),
  validateSearch: searchOfInvoices,
  loaderDeps: ({ search: { page = 1, status } }) => ({ page, status }),
  loader: ({ params: { tenantId }, deps: { page, status } }) =>
    queryClient.ensureQueryData(invoicesQuery(tenantId, page, status)),
  component: lazyRouteComponent(() => import('../screens/invoices/invoices-screen.js'), 'InvoicesScreen'),
});

const invoiceRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenantId/invoices/$invoiceId',
  staticData: { title: 'Invoice' },
  params: idsOf('tenantId', 'invoiceId'),
  loader: ({ params: { tenantId, invoiceId } }) =>
    queryClient.prefetchQuery(readQuery(tenantId, 'invoices.get', { invoice_id: invoiceId })),
  validateSearch: readPage,
  component: lazyRouteComponent(() => import('../screens/invoices/invoice-screen.js'), 'InvoiceScreen'),
});

const usageRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenantId/usage',
  staticData: { title: 'Usage' },
  params: idsOf('tenantId'),
  // Days of UTC.
  validateSearch: searchOf({ from: DAY, to: DAY }),
  component: lazyRouteComponent(() => import('../screens/billing/usage-screen.js'), 'UsageScreen'),
});

const billingRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenantId/billing',
  staticData: { title: 'Payment' },
  params: idsOf('tenantId'),
  component: lazyRouteComponent(() => import('../screens/billing/billing-screen.js'), 'BillingScreen'),
});

/** What the organization may use, uses and pays. */
export const costRoutes = [planRoute, invoicesRoute, invoiceRoute, usageRoute, billingRoute] as const;
