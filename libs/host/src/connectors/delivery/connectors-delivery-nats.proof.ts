import { describeWithNats, NATS_SERVER } from '@libs/testing';
import { aNatsNode } from '../../../test/brokers/nats.fixture.js';
import { deliversAsPromised, waitForTheirBroker } from '../../../test/brokers/delivery-suite.fixture.js';

/** nats redelivers unacknowledged messages of an earlier connection only after this time. */
const ACK_WAIT_S = 1;

describeWithNats('connectors with nats', () => {
  const make = () => aNatsNode(NATS_SERVER, { rules: [], values: { 'mqtt.ack_wait': ACK_WAIT_S } });
  deliversAsPromised(make);
  waitForTheirBroker(make);
});
