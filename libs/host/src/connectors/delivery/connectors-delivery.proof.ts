import { aNodeSpec, BrokerUnderTest } from '../../../test/brokers/embedded.fixture.js';
import { deliversAsPromised, waitForTheirBroker } from '../../../test/brokers/delivery-suite.fixture.js';

describe('connectors with the embedded broker', () => {
  const make = async () => BrokerUnderTest.of(await aNodeSpec({ rules: [] }));
  deliversAsPromised(make);
  waitForTheirBroker(make);
});
