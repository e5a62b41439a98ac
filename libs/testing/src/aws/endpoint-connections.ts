import { randomBytes } from 'node:crypto';

interface Connection {
  id: string;
  service: string;
  endpoint: string;
  owner: string;
  state: string;
}

const LIVE = ['pendingAcceptance', 'pending', 'available'];

/** The connections of consumers to endpoint services. Moto has none, so they are invented here. */
export class EndpointConnections {
  private readonly all: Connection[] = [];

  /** A consumer of another account connects. Returns the id of its endpoint. */
  connect(service: string, owner: string, state = 'pendingAcceptance'): string {
    const [id, endpoint] = ['vpce-con', 'vpce'].map((prefix) => `${prefix}-${randomBytes(8).toString('hex')}0`);
    this.all.push({ id: id ?? '', endpoint: endpoint ?? '', service, owner, state });
    return endpoint ?? '';
  }

  /** The state of the connection of an endpoint, changed by its owner, by AWS or by the owner of the service. */
  becomes(endpoint: string, state: string): void {
    for (const one of this.all) if (one.endpoint === endpoint) one.state = state;
  }

  /** The state of the connection of an endpoint. */
  stateOf(endpoint: string): string | undefined {
    return this.all.find((one) => one.endpoint === endpoint)?.state;
  }

  /** The answer to a call about connections. Null: the call is for Moto. */
  answer(action: string, parameters: URLSearchParams): string | null {
    const values = (prefix: string): string[] =>
      [...parameters].filter(([key]) => key.startsWith(prefix)).map(([, value]) => value);
    switch (action) {
      case 'DescribeVpcEndpointConnections':
        return this.described(values('Filter.1.Value.'));
      case 'AcceptVpcEndpointConnections':
        return this.moved(action, values('VpcEndpointId.'), 'available');
      case 'RejectVpcEndpointConnections':
        return this.moved(action, values('VpcEndpointId.'), 'rejected');
      case 'DeleteVpcEndpointServiceConfigurations':
        return this.refusedDeletion(action, values('ServiceId.'));
      default:
        return null;
    }
  }

  private described(services: readonly string[]): string {
    const items = this.all
      .filter(({ service }) => services.includes(service))
      .map(
        ({ id, service, endpoint, owner, state }) =>
          `<item><vpcEndpointConnectionId>${id}</vpcEndpointConnectionId><serviceId>${service}</serviceId>` +
          `<vpcEndpointId>${endpoint}</vpcEndpointId><vpcEndpointOwner>${owner}</vpcEndpointOwner>` +
          `<vpcEndpointState>${state}</vpcEndpointState></item>`,
      );
    return wrapped(
      'DescribeVpcEndpointConnections',
      `<vpcEndpointConnectionSet>${items.join('')}</vpcEndpointConnectionSet>`,
    );
  }

  private moved(action: string, endpoints: readonly string[], state: string): string {
    for (const endpoint of endpoints) this.becomes(endpoint, state);
    return wrapped(action, '<unsuccessful/>');
  }

  /** AWS keeps a service that has consumers. */
  private refusedDeletion(action: string, services: readonly string[]): string | null {
    const used = this.all.find(({ service, state }) => services.includes(service) && LIVE.includes(state));
    if (used === undefined) return null;
    const error = '<error><code>ExistingVpcEndpointConnections</code><message>in use</message></error>';
    return wrapped(
      action,
      `<unsuccessful><item><resourceId>${used.service}</resourceId>${error}</item></unsuccessful>`,
    );
  }
}

const wrapped = (action: string, body: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><${action}Response><requestId>r</requestId>${body}</${action}Response>`;
