import { LOCAL_ATTRIBUTES } from './local-attributes.js';
import type { ResourceRecord } from './records/resource-records.js';

const NODE = { spec: { zone: 'a', image_id: 'i' } } as unknown as ResourceRecord<'node'>;

describe('The addresses of a local node', () => {
  it.each([
    ['127.0.0.1', '127.0.0.1', '127.0.0.1'],
    ['192.0.2.1', 'cloud.example.com', '192.0.2.1'],
    // No client connects to "every address". Other local nodes reach it on the loopback address.
    ['0.0.0.0', '127.0.0.1', '127.0.0.1'],
    ['0.0.0.0', 'cloud.example.com', '127.0.0.1'],
  ])('that listens on %s, with the public address %s', (bindAddress, publicAddress, privateIp) => {
    expect(LOCAL_ATTRIBUTES.node(NODE, { bindAddress, publicAddress }, 0)).toMatchObject({
      public_ip: publicAddress,
      private_ip: privateIp,
    });
  });
});
