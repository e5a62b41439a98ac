import { BROKER_FEATURES, SINGLE_NODE_DRIVERS } from '@libs/broker/schema';
import type { BrokerDriver } from '@libs/domain';
import type { NodeProcessKind } from '../cloud/node-processes.js';
import { noteSkip } from '../skips.js';

/** The broker of new deployments in tests that choose none: LANDLORD_TEST_BROKER, otherwise embedded. */
export const BROKER_OF_THE_RUN = (process.env['LANDLORD_TEST_BROKER'] ?? 'embedded') as BrokerDriver;

/** Whether its nodes form clusters. A driver without clusters has Free deployments only. */
export const FORMS_CLUSTERS = !SINGLE_NODE_DRIVERS.has(BROKER_OF_THE_RUN);

/** The processes of each of its nodes, in alphabetical order. */
export const PROCESSES_OF_NODE: readonly NodeProcessKind[] =
  BROKER_OF_THE_RUN === 'embedded' ? ['agent', 'broker'] : ['agent', 'broker', 'gate'];

/** A test that needs several nodes. On a broker without clusters the test is skipped, with the feature as the reason. */
export const itWithCluster: (title: string, test: () => Promise<void>) => void = FORMS_CLUSTERS ? it : skipped;

/** A test of what only brokers of MQTT have. On iggy the test is skipped. */
export const itWithMqtt: (title: string, test: () => Promise<void>) => void =
  BROKER_OF_THE_RUN === 'iggy' ? withoutMqtt : it;

/** A suite that needs a paid deployment, which is a cluster. */
export const describeWithCluster: (title: string, tests: () => void) => void = FORMS_CLUSTERS
  ? describe
  : (title, tests) => {
      noteMissing();
      describe.skip(title, tests);
    };

function skipped(title: string, test: () => Promise<void>): void {
  noteMissing();
  it.skip(title, test);
}

function withoutMqtt(title: string, test: () => Promise<void>): void {
  noteSkip('iggy has no MQTT', 'Other brokers run them');
  it.skip(title, test);
}

function noteMissing(): void {
  const { replication } = BROKER_FEATURES[BROKER_OF_THE_RUN];
  noteSkip(`${BROKER_OF_THE_RUN} forms no clusters (replication: ${replication})`, 'Other brokers run them');
}
