/** The parts of an organization, as the navigation groups them. */
export const SECTIONS = [
  {
    title: 'Brokers',
    parts: [
      { to: '/t/$tenantId', title: 'Deployments', below: '/t/$tenantId/deployments' },
      { to: '/t/$tenantId/divisions', title: 'Divisions' },
    ],
  },
  {
    title: 'People',
    parts: [
      { to: '/t/$tenantId/members', title: 'Members' },
      { to: '/t/$tenantId/roles', title: 'Roles' },
      { to: '/t/$tenantId/keys', title: 'API keys' },
    ],
  },
  { title: 'Events', parts: [{ to: '/t/$tenantId/audit', title: 'Audit' }] },
  {
    title: 'Costs',
    parts: [
      { to: '/t/$tenantId/plan', title: 'Plan' },
      { to: '/t/$tenantId/invoices', title: 'Invoices' },
    ],
  },
] as const;
