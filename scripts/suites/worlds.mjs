/**
 * The slow tests by area: their folders, and for each area the one test that CI runs, or several. An architecture test checks that
 * each slow test belongs to exactly one area.
 */
export const WORLDS = {
  start: {
    roots: ['libs/launcher', 'test/e2e/launcher', 'test/development'],
    smoke: 'libs/launcher/src/verbs/start.proof.ts',
  },
  deployments: {
    roots: ['test/e2e/deployments', 'test/e2e/operations'],
    smoke: 'test/e2e/deployments/upgrade.proof.ts',
  },
  nodes: {
    roots: [
      ...['libs/host/src/node', 'libs/queue', 'test/e2e/nodes', 'test/e2e/configs', 'test/e2e/certificates'],
      'test/e2e/byoc',
    ],
    smoke: 'test/e2e/nodes/reconciliation.proof.ts',
  },
  machines: {
    roots: ['libs/host/src/machine', 'test/e2e/machines'],
    smoke: 'libs/host/src/machine/machine-agent.proof.ts',
  },
  aws: {
    roots: ['apps/supervisor/src/platform/aws', 'test/e2e/aws'],
    smoke: 'apps/supervisor/src/platform/aws/aws-nodes.proof.ts',
  },
  gcp: {
    roots: ['apps/supervisor/src/platform/gcp', 'test/e2e/gcp'],
    smoke: 'apps/supervisor/src/platform/gcp/gcp-provider.contract.proof.ts',
  },
  brokers: {
    roots: [...['libs/broker-config', 'libs/host/src/gate', 'libs/host/src/brokers', 'libs/host/src/connectors']],
    smoke: 'libs/host/src/connectors/delivery/connectors-delivery.proof.ts',
  },
  backups: {
    roots: ['test/e2e/backups'],
    smoke: 'test/e2e/backups/backup-rules.proof.ts',
  },
  organization: {
    roots: [
      ...['apps/main-api', 'test/e2e/account', 'test/e2e/audit', 'test/e2e/billing', 'test/e2e/channels'],
      'test/e2e/organization',
    ],
    smoke: 'apps/main-api/src/billing/invoices/monthly-billing-job.proof.ts',
  },
  clients: {
    roots: ['test/e2e/clients'],
    smoke: 'test/e2e/clients/ten-tasks.proof.ts',
  },
  documents: {
    roots: ['test/e2e/documents'],
    smoke: 'test/e2e/documents/readme.proof.ts',
  },
  generators: {
    roots: ['test/e2e/generators'],
    smoke: 'test/e2e/generators/documents.proof.ts',
  },
  console: {
    roots: ['test/e2e/console'],
    smoke: 'test/e2e/console/first-steps.proof.ts',
  },
  input: {
    roots: ['test/e2e/input'],
    smoke: 'test/e2e/input/cost-of-messages.proof.ts',
  },
  release: {
    roots: ['test/e2e/release'],
    smoke: ['test/e2e/release/npm-server.proof.ts', 'test/e2e/release/image.proof.ts'],
  },
};
