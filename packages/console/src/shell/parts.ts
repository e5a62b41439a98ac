/** The parts of an organization, as the navigation groups them. */
export const SECTIONS = [
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
