import { describeWithNats, NATS_SERVER } from '@libs/testing';
import { aNatsNode } from '../../../test/nats.fixture.js';
import { deliversAsPromised, waitForTheirBroker } from '../../../test/delivery-suite.fixture.js';

/** It gives again what the connection before left unacknowledged, only when the time for acknowledging is over. */
const ACK_WAIT_S = 1;

describeWithNats('connectors beside nats', () => {
  const make = () => aNatsNode(NATS_SERVER, { rules: [], values: { 'mqtt.ack_wait': ACK_WAIT_S } });
  deliversAsPromised(make);
  waitForTheirBroker(make);
});
