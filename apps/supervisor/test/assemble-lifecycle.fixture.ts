import { loadCatalog } from '@libs/catalog';
import type { CloudProvider } from '@libs/cloud';
import { AuditRetention, Ledger } from '@libs/ledger';
import type { ObjectStore } from '@libs/object-store';
import type { Database, Secrets } from '@libs/persistence';
import { SilentWakeUpQueue } from '@libs/queue';
import { Operations } from '@libs/workflow';
import { BackupRequests } from '../src/backups/backup-requests.js';
import { CertificateIssuer } from '../src/certificates/certificate-issuer.js';
import type { SupervisorConfig } from '../src/config.js';
import { CloudProviders } from '../src/platform/cloud-providers.js';
import { DeploymentOperations } from '../src/platform/deployment-operations.js';
import { Installation } from '../src/platform/installation.js';
import { TenantPlans } from '../src/platform/tenant-plans.js';
import { assembleSnapshots } from './assemble-snapshots.fixture.js';
import { CreatePrivateConnection } from '../src/lifecycle/private-connections/create-private-connection.workflow.js';
import { DeleteBackup } from '../src/lifecycle/backups/delete-backup.workflow.js';
import { DeleteDeployment } from '../src/lifecycle/delete/delete-deployment.workflow.js';
import { DeletePrivateConnection } from '../src/lifecycle/private-connections/delete-private-connection.workflow.js';
import { DeleteSnapshot } from '../src/lifecycle/snapshots/delete-snapshot.workflow.js';
import { DeploymentLedger } from '../src/lifecycle/deployment-ledger.js';
import { DeploymentResources } from '../src/lifecycle/deployment-resources.js';
import { NodeCertificates } from '../src/lifecycle/rotate/node-certificates.js';
import { NodePlacement } from '../src/lifecycle/node-placement.js';
import { NodeTurns } from '../src/lifecycle/node-turns.js';
import { NodeWork } from '../src/lifecycle/node-work.js';
import { PrivateConnectionResources } from '../src/lifecycle/private-connections/private-connection-resources.js';
import { ProvisionNodes } from '../src/lifecycle/provision/provision-nodes.js';
import { ProvisionDeployment } from '../src/lifecycle/provision/provision-deployment.workflow.js';
import { RestoreBackup } from '../src/lifecycle/backups/restore-backup.workflow.js';
import { RotateCertificates } from '../src/lifecycle/rotate/rotate-certificates.workflow.js';
import { RotateCredentials } from '../src/lifecycle/rotate/rotate-credentials.workflow.js';
import { RunActivity } from '../src/lifecycle/activities/run-activity.workflow.js';
import { RunConnectors } from '../src/lifecycle/connectors/run-connectors.workflow.js';
import { TakeBackup } from '../src/lifecycle/backups/take-backup.workflow.js';
import { RestoreNodes } from '../src/lifecycle/backups/restore-nodes.js';
import { UpgradeNodes } from '../src/lifecycle/upgrade/upgrade-nodes.js';
import { TakeSnapshot } from '../src/lifecycle/snapshots/take-snapshot.workflow.js';
import { UpgradeBackup } from '../src/lifecycle/upgrade/upgrade-backup.js';
import { UpgradeDeployment } from '../src/lifecycle/upgrade/upgrade-deployment.workflow.js';

class CatalogRetention extends AuditRetention {
  readonly daysByPlan = loadCatalog().auditDaysByPlan();
}

/** The dependencies of the workflows in a test. */
export interface LifecycleSetup {
  database: Database;
  secrets: Secrets;
  /** Simulates every region of every cloud. */
  cloud: CloudProvider;
  installation: string;
  /** The store of the archives. */
  store: ObjectStore;
  /** The port range of the nodes. */
  ports: [number, number];
}

const everywhere = (cloud: CloudProvider): CloudProviders =>
  new CloudProviders(new Map(['aws', 'gcp'].map((name) => [name, cloud] as const)));

/** Creates every workflow of a cell with the dependencies of the module, on the cloud of the test. */
export function assembleLifecycle({ database, secrets, cloud, store, installation, ports }: LifecycleSetup) {
  const settings = { BASE_DOMAIN: 'test.local', LOCAL_BIND_ADDRESS: '127.0.0.1', LOCAL_PORT_RANGE: ports };
  const config = settings as unknown as SupervisorConfig;
  const providers = everywhere(cloud);
  const name = new Installation(installation);
  const resources = new DeploymentResources(database, secrets, providers, loadCatalog(), name, config);
  const privateConnections = new PrivateConnectionResources(providers, name);
  const ledger = new DeploymentLedger(new Ledger(database, new CatalogRetention()));
  const placement = new NodePlacement(database, secrets, resources, config);
  const issuer = new CertificateIssuer(database, secrets, name, config);
  const certificates = new NodeCertificates(database, secrets, issuer);
  const nodes = new ProvisionNodes(database, secrets, placement, certificates);
  const turns = new NodeTurns(database, secrets, resources);
  const work = new NodeWork(database, secrets, resources);
  const plans = new TenantPlans(database, loadCatalog());
  const operations = new Operations(database, new SilentWakeUpQueue());
  const requests = new BackupRequests(database, plans, new DeploymentOperations(database, operations));
  const backup = new UpgradeBackup(database, requests);
  const upgrading = new UpgradeNodes(database, secrets, resources, turns);
  const restoring = new RestoreNodes(database, secrets, turns, work);
  return {
    provision: new ProvisionDeployment(database, nodes, resources, ledger),
    upgrade: new UpgradeDeployment(database, upgrading, resources, backup, ledger),
    rotation: new RotateCredentials(database, secrets, resources, turns, ledger),
    certificates: new RotateCertificates(certificates, resources, turns, ledger),
    activity: new RunActivity(database, secrets, resources, ledger),
    connectors: new RunConnectors(database, secrets, resources, ledger),
    backup: new TakeBackup(database, store, work, resources, ledger),
    restore: new RestoreBackup(database, store, restoring, resources, ledger),
    backupDeletion: new DeleteBackup(database, store),
    snapshot: new TakeSnapshot(database, store, work, assembleSnapshots({ database, secrets, store }), ledger),
    snapshotDeletion: new DeleteSnapshot(database, store),
    connection: new CreatePrivateConnection(database, privateConnections, resources, ledger),
    connectionDeletion: new DeletePrivateConnection(database, privateConnections, resources),
    deletion: new DeleteDeployment(database, resources, store, ledger),
  };
}
