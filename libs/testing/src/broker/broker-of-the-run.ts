import { BROKER_FEATURES, SINGLE_NODE_DRIVERS } from '@libs/broker-config';
import type { BrokerDriver } from '@libs/domain';
import type { NodeProcessKind } from '../cloud/node-processes.js';
import { skippedSuite, skippedTest, type Suite, type Test } from '../skips.js';

/** The broker of new deployments in tests that choose none: LANDLORD_TEST_BROKER, otherwise embedded. */
export const BROKER_OF_THE_RUN = (process.env['LANDLORD_TEST_BROKER'] ?? 'embedded') as BrokerDriver;

/** Whether its nodes form clusters. A driver without clusters has Free deployments only. */
export const FORMS_CLUSTERS = !SINGLE_NODE_DRIVERS.has(BROKER_OF_THE_RUN);

/** The processes of each of its nodes, in alphabetical order. */
export const PROCESSES_OF_NODE: readonly NodeProcessKind[] =
  BROKER_OF_THE_RUN === 'embedded' ? ['agent', 'broker'] : ['agent', 'broker', 'gate'];

const WITHOUT_CLUSTERS = [
  `${BROKER_OF_THE_RUN} forms no clusters (replication: ${BROKER_FEATURES[BROKER_OF_THE_RUN].replication})`,
  'Other brokers run them',
] as const;

/** A test that needs several nodes. On a broker without clusters the test is skipped, with the feature as the reason. */
export const itWithCluster: Test = FORMS_CLUSTERS ? it : skippedTest(...WITHOUT_CLUSTERS);

/** A test of what only brokers of MQTT have. On iggy the test is skipped. */
export const itWithMqtt: Test =
  BROKER_OF_THE_RUN === 'iggy' ? skippedTest('iggy has no MQTT', 'Other brokers run them') : it;

/** A suite that needs a paid deployment, which is a cluster. */
export const describeWithCluster: Suite = FORMS_CLUSTERS ? describe : skippedSuite(...WITHOUT_CLUSTERS);
